import { randomUUID } from 'node:crypto';
import { drawCalls } from '@tonerow/test-support/draw-calls.ts';
import { call, makeProduct, makeSerials, redeem } from '@tonerow/test-support/http.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sqlOf } from '#platform/db/database.ts';
import { recordWebhook } from './record.ts';

// These tests are about live messages, beside what is written: each event is heard once, when it is true, and never if
// it did not come true.

interface Notice {
  a: string;
  type: string;
  data: Record<string, unknown>;
}

let server: SharedServer;
let pair: Partners;
let productId: string;
let client: pg.Client;
const notices: Notice[] = [];

beforeAll(async () => {
  server = await sharedServer();
  pair = await makePartners(server);
  productId = (await makeProduct(server, pair.developer.token, { max_activations: 3, trial_days: 14 })).id;
  client = new pg.Client({ connectionString: server.db.url });
  await client.connect();
  client.on('notification', ({ payload }) => notices.push(JSON.parse(payload ?? '')));
  await client.query('listen tonerow_live');
});
afterAll(() => client.end());

const draws = drawCalls(() => ({ server, pair, productId }));

/** The messages of one type that the two accounts have heard so far. All that were sent before have come. */
async function until(type: string): Promise<Notice[]> {
  const mark = randomUUID();
  await server.db.query('select pg_notify($1, $2)', ['tonerow_live', JSON.stringify({ a: '', type: mark, data: {} })]);
  await expect.poll(() => notices.some((each) => each.type === mark)).toBe(true);
  const ours = [pair.developer.id, pair.reseller.id];
  return notices.filter((each) => each.type === type && ours.includes(each.a));
}

const recorded = async (type: string) =>
  (
    await server.db.query<{ id: string }>(
      'select id from webhook_events where developer_id = $1 and type = $2 order by id',
      [pair.developer.id, type],
    )
  ).map(({ id }) => id);

const ofType = (all: readonly Notice[], event: string) =>
  all.filter(({ data }) => data.event === event).map(({ data }) => data.event_id);

it('an activation is heard once by who asks for it, also after nobody did, and a refused one is not', async () => {
  const { token } = pair.developer;
  const [serial] = await makeSerials(server, token, productId);
  await redeem(server, serial?.code as string, 'nina@example.com', pair.developer.id);
  const key = (await call(server, 'POST', '/api/developer/plugin-keys', { token, body: {} })).body.plaintext;
  const ask = (verb: string, body: object) => call(server, 'POST', `/api/license/v1/${verb}`, { token: key, body });
  const activate = async (machine_id: string) =>
    (await ask('activate', { license_key: serial?.code, machine_id })).body.status;
  expect(await activate('one')).toBe('active');
  expect(await until('webhook')).toEqual([]);
  await call(server, 'POST', '/api/webhook-listeners', { token, body: { events: ['*'] } });
  expect([await activate('two'), await activate('three'), await activate('four')]).toEqual([
    'active',
    'active',
    'seat_limit',
  ]);
  expect((await ask('trial', { product_id: productId, machine_id: 'one' })).body.status).toBe('trial');
  expect((await ask('trial', { product_id: productId, machine_id: 'one' })).body.status).toBe('trial');
  const all = await until('webhook');
  expect(ofType(all, 'license.activated').sort()).toEqual(await recorded('license.activated'));
  expect(ofType(all, 'license.activated')).toHaveLength(2);
  expect(ofType(all, 'trial.started')).toEqual(await recorded('trial.started'));
});

it('a draw is heard once by both partners', async () => {
  await draws.stock({ quantity: 3 });
  const reference = draws.order();
  const answers = await Promise.all([draws.draw({ reference, quantity: 2 }), draws.draw({ reference, quantity: 2 })]);
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect((await draws.draw({ quantity: 2 })).body.code).toBe('out_of_stock');
  const all = (await until('stock')).filter(({ data }) => data.change === 'handed_out');
  expect(all.map(({ a, data }) => [a, data.codes]).sort()).toEqual(
    [
      [pair.developer.id, 2],
      [pair.reseller.id, 2],
    ].sort(),
  );
});

it('what a transaction records is heard when it commits, and never of one that does not', async () => {
  const own = new pg.Client({ connectionString: server.db.url });
  await own.connect();
  try {
    const at = new Date();
    const record = (label: string) =>
      recordWebhook(sqlOf(own), pair.developer.id, {
        type: 'product.published',
        at,
        data: { product_id: productId, name: label },
      });
    await call(server, 'POST', '/api/webhook-listeners', { token: pair.developer.token, body: { events: ['*'] } });
    const before = ofType(await until('webhook'), 'product.published').length;
    await own.query('begin');
    await record('undone');
    await own.query('rollback');
    expect(ofType(await until('webhook'), 'product.published')).toHaveLength(before);
    await own.query('begin');
    await record('done');
    expect(ofType(await until('webhook'), 'product.published')).toHaveLength(before);
    await own.query('commit');
    const now = ofType(await until('webhook'), 'product.published');
    expect(now).toHaveLength(before + 1);
    expect(await recorded('product.published')).toContain(now.at(-1));
  } finally {
    await own.end();
  }
});

it('nothing is recorded without a transaction, where its notice could be lost', async () => {
  const event = { type: 'product.published' as const, at: new Date(), data: { product_id: productId, name: 'x' } };
  await call(server, 'POST', '/api/webhook-listeners', { token: pair.developer.token, body: { events: ['*'] } });
  const loose = { query: (text: string, values?: readonly unknown[]) => server.db.query(text, values as unknown[]) };
  await expect(recordWebhook(loose as never, pair.developer.id, event)).rejects.toThrow(/without a transaction/);
});
