import { expect, it } from 'vitest';
import { licenseEnvelope, readMachineFile, tokenInEnvelope } from './offline-format.ts';

it('reads JSON, Base64 of JSON, and a bare machine id', () => {
  const json = '{"machine_id": "L896D48A88", "device": "Studio"}';
  const wanted = { machineId: 'L896D48A88', label: 'Studio', app: null };
  expect(readMachineFile(json)).toEqual(wanted);
  expect(readMachineFile(`\uFEFF${json}\r\n`)).toEqual(wanted);
  expect(readMachineFile(Buffer.from(json).toString('base64'))).toEqual(wanted);
  expect(readMachineFile(Buffer.from('{"id":"m","name":"n"}').toString('base64url'))).toEqual({
    machineId: 'm',
    label: 'n',
    app: null,
  });
  expect(readMachineFile('{"machine_id":"m","app":"Synth 1.0.0"}')?.app).toBe('Synth 1.0.0');
  expect(readMachineFile('{"machine_id":"m","app":7}')?.app).toBeNull();
  expect(readMachineFile(' L896D48A88\n')).toEqual({ machineId: 'L896D48A88', label: null, app: null });
  for (const nothing of ['', '{', '{"machine_id": 7}', 'two words', '{}']) expect(readMachineFile(nothing)).toBeNull();
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
