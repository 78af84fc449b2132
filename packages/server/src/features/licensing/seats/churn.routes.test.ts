import { call, makeProduct, makeSerials, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

it('lets twice the seats of a large license and three more see new machines in 30 days, and not one more', async () => {
  const ada = await signUp(server);
  const product = await makeProduct(server, ada.token, { max_activations: 15 });
  const [serial] = await makeSerials(server, ada.token, product.id);
  const key = await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: { label: 'Key' } });
  const ask = (action: string, body: object) =>
    call(server, 'POST', `/api/license/v1/${action}`, {
      token: key.body.plaintext,
      body: { license_key: serial?.code, email: 'nina@example.com', ...body },
    });
  for (let i = 0; i < 33; i += 1) {
    expect((await ask('activate', { machine_id: `m-${i}` })).body.ok).toBe(true);
    await ask('deactivate', { machine_id: `m-${i}` });
  }
  expect((await ask('activate', { machine_id: 'm-33' })).body).toMatchObject({ ok: false, status: 'churn_limit' });
  expect((await ask('activate', { machine_id: 'm-7' })).body.ok).toBe(true);
});
