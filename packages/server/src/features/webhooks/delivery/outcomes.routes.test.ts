import { randomUUID } from 'node:crypto';
import { call, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, SECOND, systemClock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Door } from '#platform/db/work.ts';
import type { ErasedPerson } from '#platform/feature.ts';
import { systemRandom } from '#platform/random.ts';
import { settleRestored } from '../feed/feed.service.ts';
import { tables, type WebhooksDb } from '../tables.ts';
import type { AttemptView } from './deliveries.schemas.ts';
import { type Due, readDue } from './due.ts';
import { healthOf, writeHealth } from './endpoint-health.ts';
import { erasePerson } from './erase.ts';
import { endLeases, nextDue, renewLeases, takeLeases } from './leases.ts';
import type { Outcome } from './outcome.ts';
import { expireEvents } from './purge.ts';
import { writeOutcomes } from './write-outcomes.ts';

let server: TestServer;
let db: WebhooksDb;
let ada: Person;
/** Long after whatever the server's own worker looks at. */
const now = new Date('2099-03-10T12:00:00Z');

beforeAll(async () => {
  server = await startServer({ env: { TONEROW_WEBHOOK_ALLOW: '127.0.0.0/8' } });
  const { query } = server.db;
  const door: Door = { query, work: (_options, run) => run(door) };
  db = tables.of(door);
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
     insert into webhook_deliveries (developer_id, id, endpoint_id, event_id, type, state, next_attempt_at, created_at)
     select $1, gen_random_uuid(), $2, id, 'webhook.test', 'waiting', $3, $3 from event`,
    [ada.id, endpoint, now, count],
  );
}
interface Taking {
  holder?: string;
  quick?: number;
  slow?: number;
  accounts?: string[];
}

const take = async ({ holder = randomUUID(), quick = 1000, slow = 1000, accounts }: Taking = {}) =>
  (await takeLeases(db, { now, holder, quick, slow, accounts })).map(({ id }) => id);
const read = async (id: string, holder: string, { most = 100, known = [] as string[] } = {}) => {
  const wanted = [{ developerId: ada.id, id, most }];
  return (await readDue(db, { holder, now, wanted, known })).get(id) ?? [];
};
/** A due event about a customer, at a webhook that asks for personal data. */
async function personal(): Promise<{ due: Due; customerId: string }> {
  const id = await make();
  await call(server, 'PATCH', `/api/webhooks/${id}`, { token: ada.token, body: { include_personal: true } });
  await wait(id);
  const customerId = randomUUID();
  await server.db.query('update webhook_events set object_ids = $2, personal = $3 where developer_id = $1', [
    ada.id,
    [customerId],
    '{"email":"nina@example.com"}',
  ]);
  const holder = randomUUID();
  await take({ holder });
  const [due] = (await read(id, holder)) as [Due];
  return { due, customerId };
}
const outcome = (due: Due, status: number, after = 0): Outcome => ({
  due,
  answer: { status, error: status < 300 ? null : 'status', headers: {}, text: '', durationMs: 5 },
  startedAt: now,
  endedAt: new Date(now.getTime() + after),
  signature: 'v1,c2lnbmVk',
});
const historyOf = async ({ id }: Due) =>
  (await call(server, 'GET', `/api/webhook-deliveries/${id}`, { token: ada.token })).body.history as AttemptView[];
const endpointOf = async (id: string) =>
  (await server.db.query('select * from webhook_endpoints where id = $1', [id]))[0] as Record<string, unknown>;
/** The time of its lease is over. Not just now: the clocks of two processors may differ by a moment. */
const expire = (id: string) =>
  server.db.query("update webhook_endpoints set leased_until = now() - interval '1 second' where id = $1", [id]);

it('slow webhooks that have used up their share keep no room from those that are quick', async () => {
  const slow = [];
  for (let n = 0; n < 8; n += 1) slow.push(await make());
  await server.db.query('update webhook_endpoints set slow = true where developer_id = $1', [ada.id]);
  for (const each of slow) await wait(each);
  const quick = await make();
  await wait(quick);
  expect(await take({ quick: 3, slow: 0 })).toEqual([quick]);
  expect(await take({ quick: 8, slow: 4 })).toHaveLength(4);
});

describe('a webhook with something due', () => {
  let id: string;
  const [one, two] = [randomUUID(), randomUUID()];
  const owned = () => [{ developerId: ada.id, id }];
  beforeEach(async () => {
    id = await make();
    await wait(id, 40);
  });

  it('belongs to one process, until its lease ends or is over', async () => {
    expect(await take({ holder: one })).toContain(id);
    expect(await take({ holder: two })).not.toContain(id);
    expect(await renewLeases(db, one, owned())).toEqual(new Set([id]));
    expect(await renewLeases(db, two, owned())).toEqual(new Set());
    await endLeases(db, two, { owned: owned(), unfinished: true });
    expect(await take({ holder: two })).not.toContain(id);
    await expire(id);
    expect(await take({ holder: two })).toContain(id);
    expect(await renewLeases(db, one, owned())).toEqual(new Set());
    await endLeases(db, two, { owned: owned(), unfinished: true });
    expect(await take({ holder: one })).toContain(id);
  });

  it('belongs to one of two processes that take it at once', async () => {
    const held = await lockWith(server.db, 'select 1 from webhook_endpoints where id = $1 for update', [id]);
    const both = Promise.all([take({ holder: one }), take({ holder: two })]);
    // both have found it free
    await held.untilWaiting(2);
    await held.release();
    expect((await both).flat().filter((each) => each === id)).toEqual([id]);
  });

  it('is found among those of its account, and not among those of another', async () => {
    expect(await take({ accounts: [randomUUID()] })).toEqual([]);
    expect(await nextDue(db, { holder: one, busy: [], accounts: [ada.id] })).toEqual({ at: now, leaseMs: null });
    expect(await nextDue(db, { holder: one, busy: [], accounts: [randomUUID()] })).toEqual({ at: null, leaseMs: null });
    expect(await take({ accounts: [ada.id] })).toEqual([id]);
  });

  it('waits for the end of the lease of another process, and not for its own', async () => {
    await take({ holder: one });
    const rows = await server.db.query<{ id: string }>('select id from webhook_endpoints where id <> $1', [id]);
    const others = rows.map((row) => row.id);
    expect((await nextDue(db, { holder: two, busy: others })).leaseMs).toBeGreaterThan(25 * SECOND);
    expect(await nextDue(db, { holder: one, busy: others })).toEqual({ at: now, leaseMs: null });
    expect(await nextDue(db, { holder: one, busy: [...others, id] })).toEqual({ at: null, leaseMs: null });
  });

  it('has its turn before those that had theirs later', async () => {
    const other = await make();
    await wait(other);
    const never = await make();
    await wait(never);
    await take();
    await server.db.query("update webhook_endpoints set leased_until = now() - interval '1 minute' where id = $1", [
      other,
    ]);
    await expire(id);
    await server.db.query('update webhook_endpoints set leased_by = null, leased_until = null where id = $1', [never]);
    for (const next of [never, other, id]) expect(await take({ quick: 1 })).toEqual([next]);
  });

  it('is read by the process that has its lease alone, the oldest first, and nothing that this has in hand', async () => {
    await take({ holder: one });
    expect(await read(id, two)).toEqual([]);
    const first = await read(id, one, { most: 30 });
    expect(first).toHaveLength(30);
    expect(first[0]?.to).toMatchObject({ id, developer_id: ada.id, url: 'http://127.0.0.1:9999/', slow: false });
    const rest = await read(id, one, { known: first.map((due) => due.id) });
    expect(new Set([...first, ...rest].map((due) => due.id)).size).toBe(40);
    expect(rest).toHaveLength(10);
  });

  it('is not read once it is off or deleted', async () => {
    await take({ holder: one });
    const body = { enabled: false };
    expect((await call(server, 'PATCH', `/api/webhooks/${id}`, { token: ada.token, body })).status).toBe(200);
    expect(await read(id, one)).toEqual([]);
    expect((await call(server, 'DELETE', `/api/webhooks/${id}`, { token: ada.token })).status).toBe(200);
    expect(await read(id, one)).toEqual([]);
    expect(await renewLeases(db, one, owned())).toEqual(new Set());
  });
});

it('an attempt that ends after its lease was lost, and another process has sent the same, is not written', async () => {
  const id = await make();
  await wait(id);
  const [slept, woke] = [randomUUID(), randomUUID()];
  await take({ holder: slept });
  const [first] = (await read(id, slept)) as [Due];
  await expire(id);
  await take({ holder: woke });
  const [second] = (await read(id, woke)) as [Due];
  expect(second.id).toBe(first.id);
  await writeOutcomes(db, [outcome(second, 200)], systemRandom(systemClock));
  await writeOutcomes(db, [outcome(first, 500)], systemRandom(systemClock));
  expect(await historyOf(first)).toMatchObject([{ n: 1, status: 200 }]);
});

it('attempts are written account by account where a database refuses all at once, which it is asked for once', async () => {
  const { query } = server.db;
  const sent: (string | undefined)[] = [];
  const machines: Door = {
    query,
    work: (_options, run) => run(machines),
    send: async ({ name, text, values }) => {
      sent.push(name);
      if (name === 'webhooks.outcomes') throw Object.assign(new Error('not supported'), { code: '0A000' });
      return { rows: await query(text, [...values]) } as never;
    },
  };
  const many = tables.of(machines);
  const id = await make();
  await wait(id, 2);
  const holder = randomUUID();
  await take({ holder });
  const due = await read(id, holder);
  for (const each of due) await writeOutcomes(many, [outcome(each, 200)], systemRandom(systemClock));
  expect(sent).toEqual(['webhooks.outcomes', 'webhooks.outcomes_of', 'webhooks.outcomes_of']);
  for (const each of due) expect(await historyOf(each)).toMatchObject([{ n: 1, status: 200 }]);
});

describe('an attempt that is noted while its delivery changes', () => {
  let due: Due;
  let customerId: string;
  beforeEach(async () => {
    ({ due, customerId } = await personal());
  });

  /** An answer is noted, which waits until the change of somebody else is there. */
  async function noteWhile(change: (sql: Sql) => Promise<unknown>) {
    const held = await lockWith(server.db, 'select 1');
    await change(held.sql);
    const spoken = outcome(due, 200);
    spoken.answer.text = 'welcome, nina@example.com';
    const noted = writeOutcomes(db, [spoken], systemRandom(systemClock));
    await held.untilWaiting(1);
    await held.release('commit');
    await noted;
  }
  const answers = async () => (await historyOf(due)).map(({ n, response_text }) => [n, response_text]);
  const counts = () => server.db.query('select delivered, failed from webhook_days where developer_id = $1', [ada.id]);

  it('because somebody has it sent again, is noted once', async () => {
    await noteWhile((sql) =>
      sql.query("update webhook_deliveries set trigger = 'manual', next_attempt_at = now() where id = $1", [due.id]),
    );
    expect(await answers()).toEqual([[1, 'welcome, nina@example.com']]);
    expect(await counts()).toEqual([{ delivered: 1, failed: 0 }]);
    expect(await server.db.query('select state from webhook_deliveries where id = $1', [due.id])).toEqual([
      { state: 'delivered' },
    ]);
  });

  it('because the customer is erased, is noted without the answer', async () => {
    await noteWhile((sql) => erasePerson(sql, { developerId: ada.id, customerId } as ErasedPerson));
    expect(await answers()).toEqual([[1, null]]);
  });

  it('because another process has sent it, is not', async () => {
    await noteWhile((sql) => sql.query('update webhook_deliveries set attempts = 1 where id = $1', [due.id]));
    expect(await answers()).toEqual([]);
    expect(await counts()).toEqual([]);
  });
});

it('every attempt is kept as it was, whatever its texts are, and what was sent with it', async () => {
  const id = await make();
  await wait(id, 2);
  const holder = randomUUID();
  await take({ holder });
  const texts = ['', null, 'a "quoted" text, {braced}\\ and\n\ton two lines 🎹\u2028'];
  for (const [at, text] of texts.entries()) {
    const due = (await read(id, holder)).map(
      (each) => ({ ...each, trigger: at === 1 ? 'manual' : each.trigger }) as Due,
    );
    const ended = due.map((each) => ({
      ...outcome(each, 500),
      signature: `v1,${at} v1a,${at}`,
      answer: { ...outcome(each, 500).answer, text, headers: text === null ? null : { 'x-note': text } },
    }));
    await writeOutcomes(db, ended, systemRandom(systemClock));
    await server.db.query('update webhook_deliveries set next_attempt_at = $2 where endpoint_id = $1', [id, now]);
  }
  for (const due of await read(id, holder)) {
    const history = await historyOf(due);
    expect(history.map(({ n, trigger, response_text }) => [n, trigger, response_text])).toEqual([
      [3, 'schedule', texts[2]],
      [2, 'manual', null],
      [1, 'schedule', ''],
    ]);
    expect(history[0]).toMatchObject({ response_headers: { 'x-note': texts[2] }, duration_ms: 5, error: 'status' });
    expect(history[1]).toMatchObject({ response_headers: null });
    expect(history[2]?.request_headers).toEqual({
      'content-type': 'application/json',
      'user-agent': 'Tonerow-Webhooks/1',
      'webhook-id': due.event_id,
      'webhook-timestamp': String(now.getTime() / 1000),
      'webhook-signature': 'v1,0 v1a,0',
    });
  }
});

it('what receivers answered to events about a customer is erased with the customer, of all attempts, also of one under way', async () => {
  const { due, customerId } = await personal();
  const attempt = async (attempts: number) => {
    const spoken = outcome({ ...due, attempts }, 500);
    spoken.answer.text = 'no room for nina@example.com';
    spoken.answer.headers = { 'x-customer': 'nina@example.com' };
    await writeOutcomes(db, [spoken], systemRandom(systemClock));
  };
  const answers = async () =>
    (await historyOf(due)).map(({ response_text, response_headers }) => [response_text, response_headers]);
  await attempt(0);
  await attempt(1);
  expect(await answers()).toEqual(
    Array(2).fill(['no room for nina@example.com', { 'x-customer': 'nina@example.com' }]),
  );
  await erasePerson({ query: server.db.query } as Sql, { developerId: ada.id, customerId } as ErasedPerson);
  await attempt(2);
  expect(await answers()).toEqual(Array(3).fill([null, null]));
  expect(await server.db.query('select personal from webhook_events where developer_id = $1', [ada.id])).toEqual([
    { personal: null },
  ]);
});

it('the deliveries of a deleted webhook are removed with their attempts', async () => {
  const id = await make();
  await wait(id, 2);
  const holder = randomUUID();
  await take({ holder });
  const due = await read(id, holder);
  for (const attempts of [0, 1]) {
    const ended = due.map((each) => outcome({ ...each, attempts }, 500));
    await writeOutcomes(db, ended, systemRandom(systemClock));
  }
  const left = async () =>
    (
      await server.db.query(
        'select 1 from webhook_attempts where developer_id = $1 union all select 1 from webhook_deliveries where developer_id = $1',
        [ada.id],
      )
    ).length;
  expect(await left()).toBe(4);
  await call(server, 'DELETE', `/api/webhooks/${id}`, { token: ada.token });
  await expect.poll(left, { timeout: 20_000 }).toBe(0);
});

it('a success among failures begins the count of days anew', async () => {
  const id = await make();
  await wait(id, 2);
  const long = new Date(now.getTime() - 4 * DAY);
  await server.db.query(
    'update webhook_endpoints set first_failure_at = $2, last_failure_at = $2, warned = 3 where id = $1',
    [id, long],
  );
  const holder = randomUUID();
  await take({ holder });
  const [one, two] = (await read(id, holder)) as [Due, Due];
  await writeHealth(db, healthOf([outcome(one, 200), outcome(two, 500, HOUR)]));
  const end = new Date(now.getTime() + HOUR);
  expect(await endpointOf(id)).toMatchObject({ first_failure_at: end, last_failure_at: end, warned: 0 });
});

it('a webhook that is gone has failed since then, whatever else it answers in that moment or later', async () => {
  const id = await make();
  await wait(id, 3);
  const holder = randomUUID();
  await take({ holder });
  const [one, two, three] = (await read(id, holder)) as [Due, Due, Due];
  await writeHealth(db, healthOf([outcome(one, 410), outcome(two, 204)]));
  const off = { enabled: false, disabled_reason: 'gone', first_failure_at: now, last_failure_at: now };
  expect(await endpointOf(id)).toMatchObject(off);
  await writeHealth(db, healthOf([outcome(three, 204, SECOND)]));
  expect(await endpointOf(id)).toMatchObject(off);
});

it('a listener that has gone is removed at once', async () => {
  const { body } = await call(server, 'POST', '/api/webhook-listeners', { token: ada.token, body: { events: ['*'] } });
  const listener = () => server.db.query('select 1 from webhook_endpoints where id = $1', [body.id]);
  const end = Date.parse(body.expires_at);
  await expireEvents(db, { before: new Date(0), now: new Date(end - 1) });
  expect(await listener()).toHaveLength(1);
  await expireEvents(db, { before: new Date(0), now: new Date(end) });
  expect(await listener()).toEqual([]);
});

it('what is old is removed of every account, an event with all that hangs on it', async () => {
  const bob = await signUpVerified(server);
  for (const { id } of [ada, bob])
    await server.db.query(
      `with event as (
         insert into webhook_events (developer_id, id, type, occurred_at, data, object_ids, xid)
         select $1, gen_random_uuid(), 'webhook.test', at, '{}', '{}', 1 from unnest($2::timestamptz[]) as at returning id, occurred_at),
       delivery as (
         insert into webhook_deliveries (developer_id, id, endpoint_id, event_id, type, state, created_at)
         select $1, gen_random_uuid(), $1, id, 'webhook.test', 'failed', occurred_at from event returning id, created_at)
       insert into webhook_attempts (developer_id, delivery_id, n, trigger, started_at, duration_ms, signature)
       select $1, id, 1, 'schedule', created_at, 5, '' from delivery`,
      [id, ['2097-12-31T23:59:59Z', '2098-01-01T00:00:00Z']],
    );
  await expireEvents(db, { before: new Date('2098-01-01T00:00:00Z'), now: new Date(0) });
  for (const { id } of [ada, bob])
    for (const [table, at] of [
      ['events', 'occurred_at'],
      ['deliveries', 'created_at'],
      ['attempts', 'started_at'],
    ])
      expect(
        await server.db.query(`select ${at} as at from webhook_${table} where developer_id = $1`, [id]),
        table,
      ).toEqual([{ at: new Date('2098-01-01T00:00:00Z') }]);
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
