import { openPlanDatabase, rowsRead } from '@tonerow/test-support/plan-rows.ts';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Principal } from '#platform/access/access.ts';
import { DAY, systemClock } from '#platform/clock.ts';
import { sqlOf } from '#platform/db/database.ts';
import { idsFrom, uuidV7 } from '#platform/db/statements/uuid-v7.ts';
import type { Door } from '#platform/db/work.ts';
import { pageOf } from '#platform/http/answers/cursor.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { systemRandom } from '#platform/random.ts';
import { findEndpoints } from '../endpoints/endpoints.queries.ts';
import { tables } from '../tables.ts';
import type { DeliveriesQuery, ReplayBody } from './deliveries.schemas.ts';
import { Deliveries } from './deliveries.service.ts';
import { nextDue, takeLeases } from './leases.ts';

// One webhook with a month of deliveries, of which few failed. All of it is read only by who asks for all of it.

const DELIVERIES = 20_000;
const FAILED = 20;
const random = systemRandom(systemClock);
const [accountId, endpointId] = [random.id(), random.id()];
/** Another webhook, of another account. */
const [crowdedId, otherId] = [random.id(), random.id()];
const caller = { accountId, timeZone: 'UTC' } as Principal;
const now = systemClock.now();
const ago = (days: number) => new Date(now.getTime() - days * DAY);

let database: Awaited<ReturnType<typeof openPlanDatabase>>;
let db: pg.Client;
let most = 0;

/** Runs a statement, and remembers the one that looked at the most rows. What would change some by their ids is left out. */
const explaining: Door = {
  async query(text, values = []) {
    if (/\bupdate\b/.test(text)) return [];
    most = Math.max(most, (await rowsRead(db, text, values)).ofTables);
    return sqlOf(db).query(text, values);
  },
  async work({ settings = {} }, run) {
    for (const [name, value] of Object.entries(settings)) await db.query(`set ${name} = ${value}`);
    try {
      return await run(explaining);
    } finally {
      for (const name of Object.keys(settings)) await db.query(`reset ${name}`);
    }
  },
};
const deliveries = new Deliveries({
  db: tables.of(explaining),
  clock: systemClock,
  limits: { take: async () => undefined } as unknown as RateLimits,
  jobs: { enqueue: async () => undefined } as unknown as Jobs,
});

async function read(work: () => Promise<unknown>): Promise<number> {
  most = 0;
  await work();
  return most;
}

beforeAll(async () => {
  database = await openPlanDatabase();
  db = database.db;
  await db.query("set session_replication_role = 'replica'");
  await db.query(
    `insert into webhook_endpoints (developer_id, id, url, description, events, signature, include_personal, secret, enabled, created_at)
     select account, id, 'https://example.com/', '', '{*}', 'v1', false, '', true, now()
     from unnest($1::uuid[], $2::uuid[]) as e (account, id)`,
    [
      [accountId, otherId],
      [endpointId, crowdedId],
    ],
  );
  await db.query("set session_replication_role = 'origin'");
  // each a little later than the one before, the last one now
  await db.query(
    `with moment as (select n, $4::timestamptz - interval '29 days' * (1 - n::float8 / $3) as at from generate_series(1, $3::int) n),
     event as (
       insert into webhook_events (developer_id, id, type, occurred_at, data, object_ids, xid)
       select $1, overlay(${idsFrom('at')}::text placing substr(${uuidV7('now()')}::text, 15) from 15)::uuid,
         case when n % 1000 = 0 then 'product.published' else 'serial.redeemed' end, at, '{}', '{}', 1 from moment
       returning id, type, occurred_at)
     insert into webhook_deliveries (developer_id, id, endpoint_id, event_id, type, state, attempts, created_at)
     select $1, overlay(${idsFrom('occurred_at')}::text placing substr(${uuidV7('now()')}::text, 15) from 15)::uuid, $2, id, type,
       case when row_number() over () % ${DELIVERIES / FAILED} = 0 then 'failed' else 'delivered' end, 1, occurred_at from event`,
    [accountId, endpointId, DELIVERIES, now],
  );
});
afterAll(() => database.drop());

/** So few that no statistics know them are all sorted, in ten milliseconds; of very many, the newest are read. */
const SORTED = 1.1 * DELIVERIES;

describe.each(['right after they were written', 'once the statistics know them'])('%s', (when) => {
  const newest = when.startsWith('once') ? 1000 : SORTED;
  beforeAll(async () => {
    if (when.startsWith('once')) await db.query('analyze');
  });

  it('the webhooks of an account are listed without reading what was delivered', async () => {
    const found: { replayable: number }[] = [];
    const list = async () => found.push(...(await findEndpoints(tables.in(explaining), accountId, now)));
    expect(await read(list)).toBeLessThan(3 * FAILED);
    expect(found).toMatchObject([{ replayable: FAILED }]);
  });

  it.each<[string, Partial<DeliveriesQuery>, number]>([
    ['all', {}, newest],
    ['the next ones', { cursor: String(pageOf([{ id: random.id() }, { id: 2 }], 1).next_cursor) }, newest],
    ['the failed', { state: 'failed' }, 1000],
    ['the skipped, of which there are none', { state: 'skipped' }, 1000],
    ['the waiting, of which there are none', { state: 'waiting' }, 1000],
    ['those of the last day', { from: ago(1).toISOString() }, 2000],
    // these are looked for among all of the webhook, once
    ['those of a rare type', { type: 'product.published' }, SORTED],
  ])('%s are listed without reading the others', async (_which, query, limit) => {
    const list = () => deliveries.list(caller, endpointId, { limit: 50, ...query } as DeliveriesQuery);
    expect(await read(list)).toBeLessThan(limit);
  });

  it.each<[ReplayBody['state'], number, number]>([
    ['undelivered', 29, 1000],
    ['skipped', 29, 1000],
    ['waiting', 29, 1000],
    ['delivered', 1, 2000],
  ])('those that were %s are counted for a replay without reading the others', async (state, days, limit) => {
    const replay = () => deliveries.replay(caller, endpointId, { since: ago(days).toISOString(), until: null, state });
    expect(await read(replay)).toBeLessThan(limit);
  });
});

describe.each(['right after it was written', 'once the statistics know it'])('what waits, %s,', (when) => {
  beforeAll(async () => {
    if (when.startsWith('once')) await db.query('analyze');
    else await wait();
  });

  it.each<[string, string[] | undefined]>([
    ['anybody’s', undefined],
    ['an account’s', [otherId]],
  ])('shows which of %s webhooks have something due by one delivery of each', async (_whose, accounts) => {
    const handle = tables.of(explaining);
    const look = () => takeLeases(handle, { now, holder: random.id(), quick: 100, slow: 25, accounts });
    expect(await read(look)).toBeLessThan(10);
    expect(await read(() => nextDue(handle, { holder: random.id(), busy: [], accounts }))).toBeLessThan(10);
  });
});

/** As many wait for the other webhook. */
const wait = () =>
  db.query(
    `insert into webhook_deliveries (developer_id, id, endpoint_id, event_id, type, state, next_attempt_at, created_at)
     select $1, gen_random_uuid(), $2, gen_random_uuid(), 'serial.redeemed', 'waiting', $4, $4 from generate_series(1, $3::int)`,
    [otherId, crowdedId, DELIVERIES, now],
  );
