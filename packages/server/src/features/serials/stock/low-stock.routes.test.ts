import { call, makeProduct, makeSerials, type Person } from '@tonerow/test-support/http.ts';
import { makePartners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let shop: Person;
let partnershipId: string;
let product: { id: string; name: string };

beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  ({ developer: ada, reseller: shop, partnershipId } = await makePartners(server));
  product = await makeProduct(server, ada.token);
  for (const { token } of [ada, shop])
    await call(server, 'POST', '/api/webhook-listeners', { token, body: { events: ['stock.low'] } });
  // more than the developer’s own threshold of all products
  await server.db.query('update users set low_serials_threshold = 10 where id = $1', [ada.id]);
});

const told = async (person = ada) =>
  (
    await server.db.query<{ data: string }>(
      'select data from webhook_events where developer_id = $1 order by xid, id',
      [person.id],
    )
  ).map(({ data }) => JSON.parse(data));
const send = async (method: string, path: string, body?: object) => {
  const answer = await call(server, method, path, { token: ada.token, ...(body ? { body } : {}) });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const stock = async (quantity: number, options: object = {}) =>
  (await makeSerials(server, ada.token, product.id, { quantity, ...options })).map(({ id }) => id);
const batchOf = async (id: string | undefined) =>
  (await call(server, 'GET', `/api/serials/${id}`, { token: ada.token })).body.batch_id as string;
const low = (available: number) => ({ product_id: product.id, partnership_id: null, available, threshold: 10 });

describe('stock that goes without being sold', () => {
  it.each(['revoke', 'delete'])('is told of once when serials are changed by hand: %s', async (action) => {
    const ids = await stock(30);
    await send('POST', '/api/serials/bulk', { action, ids: ids.slice(0, 15) });
    expect(await told()).toEqual([]);
    await send('POST', '/api/serials/bulk', { action, ids: ids.slice(15), dry_run: true });
    expect(await told()).toEqual([]);
    await send('POST', '/api/serials/bulk', { action, ids: ids.slice(15, 25) });
    await send('POST', '/api/serials/bulk', { action, ids: ids.slice(25) });
    expect(await told()).toMatchObject([low(5)]);
  });

  it('is told of when a single serial is revoked, and again after it had been enough', async () => {
    const [one, ...others] = await stock(10);
    for (const _ of [1, 2]) {
      await send('PATCH', `/api/serials/revoke/${one}`);
      await send('PATCH', `/api/serials/reassign/${one}`);
    }
    expect(await told()).toMatchObject([low(9), low(9)]);
    expect(others).toHaveLength(9);
  });

  it('is told of when a batch is revoked, and when its undoing is undone', async () => {
    const [id] = await stock(30);
    const gone = await send('POST', `/api/batches/${await batchOf(id)}/revoke`, {});
    expect(await told()).toMatchObject([low(0)]);
    const back = await send('POST', '/api/serials/undo', { changed_at: gone.changed_at });
    await send('POST', '/api/serials/undo', { changed_at: back.changed_at });
    expect(await told()).toMatchObject([low(0), low(0)]);
  });

  it('is told of when what is left of a group is deleted', async () => {
    await stock(30);
    await send('DELETE', `/api/serials/group/${encodeURIComponent(product.name)}`);
    expect(await told()).toMatchObject([low(0)]);
  });

  it('is told of to the reseller whose stock it was', async () => {
    await send('PATCH', `/api/reseller/developer/resellers/${partnershipId}`, { low_stock_threshold: 3 });
    await stock(30);
    const ids = await stock(4, { reseller_id: partnershipId });
    await send('POST', '/api/serials/bulk', { action: 'revoke', ids: ids.slice(0, 2) });
    const own = { product_id: product.id, partnership_id: partnershipId, available: 2, threshold: 3 };
    expect(await told()).toMatchObject([own]);
    expect(await told(shop)).toMatchObject([own]);
  });
});
