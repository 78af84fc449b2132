import { expect, it } from 'vitest';
import { licenseEnvelope, readMachineFile, readRelease, tokenInEnvelope } from './offline-format.ts';

it('reads JSON, Base64 of JSON, and a bare machine id', () => {
  const json = '{"machine_id": "L896D48A88", "device": "Studio"}';
  const wanted = { machineId: 'L896D48A88', label: 'Studio', app: null, releaseHash: null };
  expect(readMachineFile(json)).toEqual(wanted);
  expect(readMachineFile(`\uFEFF${json}\r\n`)).toEqual(wanted);
  expect(readMachineFile(Buffer.from(json).toString('base64'))).toEqual(wanted);
  expect(readMachineFile(Buffer.from('{"id":"m","name":"n"}').toString('base64url'))).toEqual({
    machineId: 'm',
    label: 'n',
    app: null,
    releaseHash: null,
  });
  expect(readMachineFile('{"machine_id":"m","app":"Synth 1.0.0"}')?.app).toBe('Synth 1.0.0');
  expect(readMachineFile('{"machine_id":"m","app":7}')?.app).toBeNull();
  expect(readMachineFile(' L896D48A88\n')).toEqual({
    machineId: 'L896D48A88',
    label: null,
    app: null,
    releaseHash: null,
  });
  const release_hash = '0a'.repeat(32);
  expect(readMachineFile(JSON.stringify({ machine_id: 'm', release_hash }))?.releaseHash).toBe(release_hash);
  for (const none of [7, '', '0A'.repeat(32), `${release_hash}0`])
    expect(readMachineFile(JSON.stringify({ machine_id: 'm', release_hash: none }))?.releaseHash).toBeNull();
  for (const nothing of ['', '{', '{"machine_id": 7}', 'two words', '{}']) expect(readMachineFile(nothing)).toBeNull();
});

it('reads a release file as JSON and in Base64, and a machine file as none', () => {
  const id = '019cd0a0-0000-7000-8000-00000000000a';
  const secret = 'f0'.repeat(32);
  const file = { release: secret, serial_id: id.toUpperCase(), product_id: id };
  const wanted = { secret, serialId: id, productId: id };
  expect(readRelease(JSON.stringify(file))).toEqual(wanted);
  expect(readRelease(`${Buffer.from(JSON.stringify(file)).toString('base64')}\n`)).toEqual(wanted);
  for (const other of [{ release: secret.toUpperCase() }, { serial_id: 'x' }, { product_id: 7 }, { release: [secret] }])
    expect(readRelease(JSON.stringify({ ...file, ...other }))).toBeNull();
  for (const nothing of ['', '{', '[]', '7', 'null', 'L896D48A88', '{"machine_id":"m"}'])
    expect(readRelease(nothing)).toBeNull();
});

it('wraps a token and gives it back', () => {
  const token = `${'a'.repeat(70)}.${'b'.repeat(130)}.c`;
  const until = new Date('2027-01-01T00:00:00Z');
  const text = licenseEnvelope({ product: 'A #1\nSynth', until, keysUrl: 'https://x.y/jwks?dev=1', token });
  expect(text).not.toContain('#');
  expect(text.split('\n')[1]).toBe('Product: A  1 Synth');
  expect(tokenInEnvelope(`Keyfile for x\r\n\r\n${text.replaceAll('\n', '\r\n')}\r\n\r\n#ab`)).toBe(token);
  expect(tokenInEnvelope('nothing')).toBeNull();
});
