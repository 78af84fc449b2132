import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, type Person, signUpVerified } from '../../../../../../test/support/http.ts';
import { startServer, type TestServer } from '../../../../../../test/support/server.ts';
import { DAY, HOUR, MINUTE, systemClock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { systemRandom } from '../../../platform/random.ts';
import { settleRestored } from '../feed/feed.service.ts';
import { type Claimed, claim, giveBack } from './claims.ts';
import { healthOf, type Outcome, writeHealth, writeOutcomes } from './outcomes.ts';
import { expireEvents } from './purge.ts';

let server: TestServer;
let db: Database;
let ada: Person;
/** Long after whatever the server's own worker looks at. */
const now = new Date('2099-03-10T12:00:00Z');

beforeAll(async () => {
  server = await startServer({ env: { TONEROW_WEBHOOK_ALLOW: '127.0.0.0/8' } });
  const { query } = server.db;
  const prepared: Database['prepared'] = ({ text }, values) => query(text, [...values]);
  db = { query, prepared } as unknown as Database;
});
afterAll(() => server.stop());
beforeEach(async () => {
  ada = await signUpVerified(server);
});

const make = async () =>
  (
    await call(server, 'POST', '/api/webhooks', {
      token: ada.token,
      body: { url: 'http://127.0.0.1:9999/', events: ['*'] },
    })
  ).body.webhook.id as string;

async function wait(endpoint: string, count = 1): Promise<void> {
  await server.db.query(
    `with event as (
       insert into webhook_events (developer_id, id, type, occurred_at, data, object_ids, xid)
       select $1, gen_random_uuid(), 'webhook.test', $3, '{}', '{}', 1 from generate_series(1, $4::int) returning id)
     insert into webhook_deliveries (developer_id, id, endpoint_id, event_id, state, next_attempt_at, created_at)
     select $1, gen_random_uuid(), $2, id, 'waiting', $3, $3 from event`,
    [ada.id, endpoint, now, count],
  );
}
const take = (most: number, { slow = most, held = new Map<string, number>(), at = now } = {}) =>
  claim(
    db,
    { most, slow, perEndpoint: 5, ahead: 20, held },
    { now: at, lease: randomUUID(), until: new Date(at.getTime() + MINUTE) },
  );
const outcome = (claimed: Claimed, status: number, after = 0): Outcome => ({
  claimed,
  answer: { status, error: status < 300 ? null : 'status', headers: {}, text: '', durationMs: 5 },
  startedAt: now,
  endedAt: new Date(now.getTime() + after),
  requestHeaders: {},
});
const endpointOf = async (id: string) =>
  (await server.db.query('select * from webhook_endpoints where id = $1', [id]))[0] as Record<string, unknown>;

it('slow webhooks that have used up their share keep no room from those that are quick', async () => {
  const slow = [];
  for (let n = 0; n < 8; n += 1) slow.push(await make());
  await server.db.query('update webhook_endpoints set slow = true where developer_id = $1', [ada.id]);
  for (const each of slow) await wait(each);
  const quick = await make();
  await wait(quick);
  expect((await take(3, { slow: 0 })).map(({ endpoint_id }) => endpoint_id)).toEqual([quick]);
  expect(await take(8, { slow: 4 })).toHaveLength(4);
});

describe('how much of a webhook a process claims', () => {
  let id: string;
  const own = (claimed: Claimed[]) => claimed.filter(({ endpoint_id }) => endpoint_id === id);
  const holding = (held: number) => ({ held: new Map([[id, held]]) });
  beforeEach(async () => {
    id = await make();
    await wait(id, 40);
  });

  it('is what it may send at once while that has not answered, or fails', async () => {
    expect(own(await take(1000))).toHaveLength(5);
    await server.db.query('update webhook_endpoints set last_success_at = $2, first_failure_at = $2 where id = $1', [
      id,
      now,
    ]);
    expect(own(await take(1000, holding(5)))).toEqual([]);
  });

  it('is more while it answers, unless another process sends to it', async () => {
    await server.db.query('update webhook_endpoints set last_success_at = $2 where id = $1', [id, now]);
    const first = own(await take(1000));
    expect(first).toHaveLength(20);
    expect([...own(await take(1000, holding(20))), ...own(await take(1000))]).toEqual([]);
    await giveBack(db, first.slice(3));
    const other = own(await take(1000));
    // five requests at once in all
    expect(other).toHaveLength(2);
    expect(own(await take(1000, holding(3)))).toEqual([]);
    await giveBack(db, other);
    expect(own(await take(1000, holding(3)))).toHaveLength(17);
  });

  it('is due as before once it is given back, and not if its lease was lost', async () => {
    const [one, two] = own(await take(1000)) as [Claimed, Claimed];
    await giveBack(db, [one, { ...two, lease: randomUUID() }]);
    const rows = await server.db.query(
      'select id, lease, next_attempt_at as at from webhook_deliveries where id = any($1::uuid[])',
      [[one.id, two.id]],
    );
    expect(rows.find((row) => row.id === one.id)).toEqual({ id: one.id, lease: null, at: now });
    expect(rows.find((row) => row.id === two.id)).toEqual({ id: two.id, lease: two.lease, at: two.until });
  });
});

it('an attempt that ends twice, after its lease was lost, is written once and stops nothing', async () => {
  const id = await make();
  await wait(id);
  const mine = (claimed: Claimed[]) => claimed.find(({ endpoint_id }) => endpoint_id === id) as Claimed;
  const first = mine(await take(50));
  const later = new Date(now.getTime() + 2 * MINUTE);
  const second = mine(await take(50, { at: later }));
  expect([second.id, second.lease === first.lease]).toEqual([first.id, false]);
  await writeOutcomes(db, [outcome(first, 500), outcome(second, 200)], systemRandom(systemClock));
  expect(await server.db.query('select n, status from webhook_attempts where delivery_id = $1', [first.id])).toEqual([
    { n: 1, status: 200 },
  ]);
});

it('a success among failures begins the count of days anew', async () => {
  const id = await make();
  await wait(id, 2);
  const long = new Date(now.getTime() - 4 * DAY);
  await server.db.query(
    'update webhook_endpoints set first_failure_at = $2, last_failure_at = $2, warned = 3 where id = $1',
    [id, long],
  );
  const claimed = (await take(50)).filter(({ endpoint_id }) => endpoint_id === id);
  const [one, two] = claimed as [Claimed, Claimed];
  await writeHealth(db, healthOf([outcome(one, 200), outcome(two, 500, HOUR)]));
  const end = new Date(now.getTime() + HOUR);
  expect(await endpointOf(id)).toMatchObject({ first_failure_at: end, last_failure_at: end, warned: 0 });
});

it('a listener that has gone is removed at once, and events after 30 days', async () => {
  const { body } = await call(server, 'POST', '/api/webhook-listeners', { token: ada.token, body: { events: ['*'] } });
  const listener = () => server.db.query('select 1 from webhook_endpoints where id = $1', [body.id]);
  const end = Date.parse(body.expires_at);
  await expireEvents(db, { before: new Date(0), now: new Date(end - 1) });
  expect(await listener()).toHaveLength(1);
  await expireEvents(db, { before: new Date(0), now: new Date(end) });
  expect(await listener()).toEqual([]);
});

it('events of a restored database become the oldest, of every account', async () => {
  const bob = await signUpVerified(server);
  for (const { id } of [ada, bob])
    await server.db.query(
      `insert into webhook_events (developer_id, id, type, occurred_at, data, object_ids, xid)
       select $1, gen_random_uuid(), 'webhook.test', $2, '{}', '{}', n from unnest(array[7, 900000000000]) as n`,
      [id, now],
    );
  await settleRestored(db);
  for (const { id } of [ada, bob])
    expect(
      await server.db.query('select xid::int from webhook_events where developer_id = $1 order by xid', [id]),
    ).toEqual([{ xid: 1 }, { xid: 7 }]);
});
