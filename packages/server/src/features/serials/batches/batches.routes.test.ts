import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let product: { id: string; name: string };
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  ada = await signUp(server);
  product = await makeProduct(server, ada.token, {
    name: 'Delay',
    price: 30,
    file_urls: [{ name: 'Mac', url: 'https://example.com/a.dmg' }],
  });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  call(server, 'GET', path, { token: ada.token, headers });
const csv = { accept: 'text/csv' };

describe('batches', () => {
  it('know how far their serials came, and hand-outs only where a reseller gives them away', async () => {
    const key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body
      .plaintext;
    const made = async (fields: object) => {
      const serials = await makeSerials(server, ada.token, product.id, { quantity: 4, ...fields });
      const [batch] = (await get('/api/batches?limit=1')).body.rows;
      return { serials, id: batch.id as string };
    };
    const own = await made({ batch_tag: 'Funnel' });
    await redeem(server, own.serials[0]?.code as string, 'one@example.com');
    await redeem(server, own.serials[1]?.code as string, 'two@example.com');
    for (const machine_id of ['a', 'b']) {
      const body = { license_key: own.serials[0]?.code, machine_id };
      await call(server, 'POST', '/api/license/v1/activate', { token: key, body });
    }
    expect((await get(`/api/batches/${own.id}/funnel`)).body).toEqual({
      batch_id: own.id,
      stages: [
        { stage: 'generated', count: 4, share: 100, of_previous: null },
        { stage: 'redeemed', count: 2, share: 50, of_previous: 50 },
        { stage: 'activated', count: 1, share: 25, of_previous: 50 },
      ],
    });
    const sold = await made({ new_reseller_name: 'Funnel Shop' });
    expect((await get(`/api/batches/${sold.id}/funnel`)).body.stages).toEqual([
      { stage: 'generated', count: 4, share: 100, of_previous: null },
      { stage: 'handed_out', count: 0, share: 0, of_previous: 0 },
      { stage: 'redeemed', count: 0, share: 0, of_previous: null },
      { stage: 'activated', count: 0, share: 0, of_previous: null },
    ]);
  });

  it('shows the state of each; only those that were not redeemed are revoked', async () => {
    const serials = await makeSerials(server, ada.token, product.id, { quantity: 10, batch_tag: 'Fair' });
    await redeem(server, serials[0]?.code as string, 'n@example.com', ada.id);
    const [batch] = (await get('/api/batches?search=fair')).body.rows;
    expect(batch).toMatchObject({
      quantity: 10,
      open: 9,
      redeemed: 1,
      revoked: 0,
      origin: 'generate',
      batch_tag: 'Fair',
    });
    const revoke = (query = '') =>
      call(server, 'POST', `/api/batches/${batch.id}/revoke${query}`, { token: ada.token });
    expect((await revoke('?dry_run=true')).body).toEqual({ count: 9, dry_run: true });
    expect((await revoke()).body).toEqual({ count: 9, dry_run: false, changed_at: expect.any(String) });
    expect((await get(`/api/batches/${batch.id}`)).body).toMatchObject({ open: 0, redeemed: 1, revoked: 9 });
    const again = await get(`/api/serials?batch_id=${batch.id}`, csv);
    expect(again.headers.get('content-disposition')).toContain('serial_batch_full.csv');
    expect(again.text.trim().split('\r\n')).toHaveLength(11);
  });
});

it('takes the last day that there is, also west of Greenwich', async () => {
  const dan = await signUp(server);
  await call(server, 'PUT', '/api/account/settings', { token: dan.token, body: { time_zone: 'America/New_York' } });
  const { id } = await makeProduct(server, dan.token);
  const body = { product_id: id, quantity: 1, expires_at: '9999-12-31' };
  expect((await call(server, 'POST', '/api/serials/generate', { token: dan.token, body })).status).toBe(201);
  const range = 'dateRange=2026-01-01_to_9999-12-31';
  for (const path of ['serials?', `serials/available?${range}`, `serials/redeemed?${range}`]) {
    expect([path, (await call(server, 'GET', `/api/${path}`, { token: dan.token })).status]).toEqual([path, 200]);
  }
});
