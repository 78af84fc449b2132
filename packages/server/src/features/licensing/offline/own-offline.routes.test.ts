import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { juceKeyOf } from '@tonerow/test-support/juce.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';
import { tokenInEnvelope } from './offline-format.ts';

let server: SharedServer;
let ada: Person;
let product: { id: string; name: string };
let codes: string[];
let link: string;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  const nina = `nina-${ada.id}@example.com`;
  product = await makeProduct(server, ada.token, { max_activations: 1 });
  codes = (await makeSerials(server, ada.token, product.id, { quantity: 3 })).map((serial) => serial.code);
  await redeem(server, codes[0] as string, nina, ada.id);
  await redeem(server, codes[1] as string, 'someone@example.com', ada.id);
  await call(server, 'POST', '/api/redeem/my-products', { body: { email: nina, dev: ada.id } });
  const email = await server.email((each) => each.to?.[0]?.address === nina && /open=/.test(each.text ?? ''));
  link = /open=([^\s&]+)/.exec(email.text ?? '')?.[1] as string;
});

const ask = (serial: string | undefined, machine_file: string, token = link) =>
  call(server, 'POST', '/api/redeem/my-products/offline', { body: { token, serial, machine_file } });

it('gives the owner a license file for a machine file, which holds the seat until its lease ends', async () => {
  const made = await ask(codes[0]?.toLowerCase(), '{"machine_id": "STUDIO-1", "device": "Studio"}');
  expect([made.status, made.headers.get('content-disposition')]).toEqual([200, 'attachment; filename="license.txt"']);
  expect(tokenInEnvelope(made.text)).toMatch(/^ey/);
  const [seat] = await server.db.query<{ days: number; label: string }>(
    `select round(extract(epoch from leased_until - now()) / 86400)::int as days, label from activations
     where developer_id = $1 and machine_id = 'STUDIO-1'`,
    [ada.id],
  );
  expect(seat).toEqual({ days: 90, label: 'Studio' });
  expect((await ask(codes[0], 'STUDIO-1')).status).toBe(200);
  const second = await ask(codes[0], 'STUDIO-2');
  expect([second.status, second.body.code]).toEqual([422, 'domain_rule']);
  const rsa = await call(server, 'GET', `/api/products/${product.id}/rsa?format=juce`, { token: ada.token });
  const named = await ask(codes[0], '{"machine_id": "STUDIO-1", "app": "My Synth 1.0.0"}');
  expect(juceKeyOf(named.text, rsa.text)).toMatchObject({ app: 'My Synth 1.0.0', expiring_mach: 'STUDIO-1' });
  const unnamed = await ask(codes[0], '{"machine_id": "STUDIO-1"}');
  expect(juceKeyOf(unnamed.text, rsa.text)).toMatchObject({ app: product.name });

  const opened = (await call(server, 'POST', '/api/redeem/my-products/open', { body: { token: link } })).body;
  const [machine] = opened.machines[codes[0] as string];
  const released = await call(server, 'POST', '/api/redeem/my-products/release', {
    body: { token: link, machine_id: machine.id },
  });
  expect(released.status).toBe(404);
  const key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
  const deactivated = await call(server, 'POST', '/api/license/v1/deactivate', {
    token: key,
    body: { license_key: codes[0], machine_id: 'STUDIO-1' },
  });
  expect([deactivated.status, deactivated.body.status]).toEqual([409, 'leased']);
  expect((await call(server, 'POST', `/api/machines/${machine.id}/release`, { token: ada.token })).body.released).toBe(
    true,
  );
});

it('gives nothing for another customer’s serial, a bad machine file, or an invalid link', async () => {
  expect((await ask(codes[1], 'STUDIO-1')).status).toBe(404);
  expect((await ask(codes[2], 'STUDIO-1')).status).toBe(404);
  expect((await ask(codes[0], 'two words')).body.message).toBe('This is not a machine file.');
  expect((await ask(codes[0], '{"machine_id": "a,b"}')).status).toBe(422);
  const long = JSON.stringify({ machine_id: 'STUDIO-1', app: 'x'.repeat(255) });
  expect((await ask(codes[0], long)).body.message).toBe('This is not a machine file.');
  expect((await ask(codes[0], 'STUDIO-1', 'nonsense')).body.code).toBe('link_invalid');
  await call(server, 'PATCH', `/api/serials/revoke/${(await idOf(codes[0] as string)) as string}`, {
    token: ada.token,
  });
  expect((await ask(codes[0], 'STUDIO-1')).status).toBe(404);
});

async function idOf(code: string): Promise<string | undefined> {
  return (await server.db.query<{ id: string }>('select id from serials where code = $1', [code]))[0]?.id;
}
