import {
  addDeveloper,
  keepStatistics,
  nothingSeen,
  openPlanDatabase,
  watched,
} from '@tonerow/test-support/plan-rows.ts';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Principal } from '#platform/access/access.ts';
import type { Sql } from '#platform/db/database.ts';
import { BY_INDEX } from '#platform/db/statements/by-index.ts';
import { COUNT_LIMIT } from '#platform/db/statements/count-limit.ts';
import type { Door } from '#platform/db/work.ts';
import { seedLedger, seedStock } from '../../../../../../scripts/bench/seeds/seed.ts';
import { stockOf } from '../../analytics/reports/reports.queries.ts';
import { tables as analytics } from '../../analytics/tables.ts';
import { customersPage } from '../../customers/customers.queries.ts';
import { tables as customers } from '../../customers/tables.ts';
import { FirstSteps } from '../../first-steps/first-steps.service.ts';
import { tables as firstSteps } from '../../first-steps/tables.ts';
import { type BatchFilter, findBatchView, listBatches } from '../batches/batches.queries.ts';
import { availableGroups } from '../groups/groups.queries.ts';
import { redeemedPage } from '../redeemed/redeemed.queries.ts';
import { type SerialsDb, type SerialsHandle, tables } from '../tables.ts';
import { serialKinds } from './serial-filter.ts';
import { countSerials, listSerials, type SerialFilter, serialChoiceCounts } from './serial-list.queries.ts';

// An account with a few large batches, of which the statistics know, that then makes many small ones, of which they do not: each
// small one is expected to be as large as the others.

const OLD = 30_000;
const MADE = 3000;
const BATCHES = 300;
const developerId = '0199f000-0000-7000-8000-000000000001';
/** Has as much in stock, in batches as large. */
const other = '0199f000-0000-7000-8000-000000000003';
/** New, too, and has sold everything. */
const seller = '0199f000-0000-7000-8000-000000000004';
const newcomer = '0199f000-0000-7000-8000-000000000002';
const now = new Date();
const noBounds = { from: null, to: null };

let database: Awaited<ReturnType<typeof openPlanDatabase>>;
let db: pg.Client;
beforeAll(async () => {
  database = await openPlanDatabase();
  db = database.db;
  await keepStatistics(db, ['serials', 'batches', 'products', 'redemptions', 'customers']);
  await addDeveloper(db, developerId);
  await seedLedger(db, developerId, OLD, 1);
  await addDeveloper(db, other);
  await seedStock(db, other, { products: 3, serials: OLD, mark: 4 });
  await db.query('analyze');
  await seedStock(db, developerId, { products: BATCHES, serials: MADE, mark: 2 });
  await addDeveloper(db, newcomer);
  await seedStock(db, newcomer, { products: BATCHES, serials: MADE, mark: 3 });
  await addDeveloper(db, seller);
  await seedLedger(db, seller, 4 * OLD, 5, 0, false);
});
afterAll(() => database.drop());

/** As the lists are read. */
const byIndex = <T>(db: SerialsDb, work: (sql: SerialsHandle) => Promise<T>) =>
  db.work({ tx: true, settings: BY_INDEX }, work);

const filter = (developerId: string, of: Partial<SerialFilter>): SerialFilter => ({
  developerId,
  state: undefined,
  productId: undefined,
  batchIds: undefined,
  search: undefined,
  now,
  ...of,
});
const ofBatches = (developerId: string): BatchFilter => ({
  developerId,
  productId: undefined,
  search: undefined,
  chosen: [],
  now,
});
const stock = { days: { from: '2026-01-01', to: '2026-01-30' }, now, product: undefined, limit: 1000 };
const asked: Record<string, (db: SerialsDb, of: string) => Promise<unknown>> = {
  'the groups of what is available': (db, of) =>
    availableGroups(db, { developerId: of, search: undefined, period: noBounds, now }),
  'the same of a search': (db, of) =>
    availableGroups(db, { developerId: of, search: 'stock-0000', period: noBounds, now }),
  'a page of what is available': (db, of) =>
    byIndex(db, (sql) => listSerials(sql, filter(of, { state: 'available' }), null, 21)),
  'how many are available': (db, of) => byIndex(db, (sql) => countSerials(sql, filter(of, { state: 'available' }))),
  'a page of all': (db, of) => byIndex(db, (sql) => listSerials(sql, filter(of, {}), null, 21)),
  'a page of what a search finds': (db, of) =>
    byIndex(db, (sql) => listSerials(sql, filter(of, { search: 'stock-000001' }), null, 21)),
  'what is left of each product': (db, of) => byIndex(db, (sql) => stockOf(analytics.in(sql), of, stock)),
  'a page of batches': (db, of) =>
    byIndex(db, (sql) => listBatches(sql, ofBatches(of), '-created_at', null, 101, true)),
  'the choices of what is available': (db, of) =>
    byIndex(db, (sql) => serialChoiceCounts(sql, serialKinds, filter(of, { state: 'available' }))),
};

/** As many as each batch, each serial that is available, and what is shown. */
const MOST = 12 * (BATCHES + MADE) + 30_000;

describe.each(['before', 'after'])('%s the statistics know of the new batches', (when) => {
  beforeAll(async () => {
    if (when === 'after') await db.query('analyze');
  });

  it.each(Object.entries(asked))('%s: no batch is looked for among all serials', async (_, ask) => {
    const seen = nothingSeen();
    await ask(tables.of(watched(db, seen)), developerId);
    expect(seen.all).toBeLessThan(MOST);
  });

  it.each(Object.entries(asked).filter(([what]) => /groups|left|choices/.test(what)))(
    '%s of an account that has sold all: nothing sold is read',
    async (_, ask) => {
      const seen = nothingSeen();
      await ask(tables.of(watched(db, seen)), seller);
      expect(seen.all).toBeLessThan(MOST);
    },
  );

  // a server of few accounts: PostgreSQL expects one that it does not know to have a row or two
  it.each(Object.entries(asked))('%s of an account that is new: neither', async (_, ask) => {
    const seen = nothingSeen();
    await ask(tables.of(watched(db, seen)), newcomer);
    expect(seen.all).toBeLessThan(MOST);
  });

  const page = { sort: '-redeemed_at', offset: 0, limit: 21, after: null, count: true } as const;
  const none = { search: undefined, searchDay: null, period: noBounds };
  it.each<[string, (door: Door) => Promise<{ counted: unknown }>]>([
    [
      'redemptions of a kind',
      (door) => {
        const chosen = [sql<boolean>`r.source <> 'import'`];
        return redeemedPage(
          tables.of(door),
          { ...none, developerId: seller, people: true, days: noBounds, chosen },
          page,
        );
      },
    ],
    [
      'customers',
      (door) =>
        customersPage(
          customers.of(door),
          { ...none, developerId: seller, chosen: [] },
          { ...page, sort: '-signup_date' },
        ),
    ],
  ])(
    'a page and the number of the %s of an account whose rows lie behind those of others: none of theirs is read',
    async (_, ask) => {
      const seen = nothingSeen();
      const { counted } = await ask(watched(db, seen) as Door);
      expect(counted).toEqual({ total: COUNT_LIMIT, total_exact: false });
      expect(seen.ofTables).toBeLessThan(COUNT_LIMIT + 500);
    },
  );

  it('its first steps: none of the others are read', async () => {
    const seen = nothingSeen();
    const deps = { db: firstSteps.of(watched(db, seen) as Door) } as ConstructorParameters<typeof FirstSteps>[0];
    await new FirstSteps(deps).get({ accountId: seller } as Principal);
    expect(seen.ofTables).toBeLessThan(20);
  });
});

it('reads the groups of what is available in one statement', async () => {
  const seen = nothingSeen();
  const groups = await availableGroups(tables.of(watched(db, seen)), {
    developerId,
    search: undefined,
    period: noBounds,
    now,
  });
  expect([seen.statements, groups.length, groups[0]?.total]).toEqual([1, 100, MADE]);
});

it('counts the batches of a page whole, but large ones only so far that a page costs no more, and marks what has more', async () => {
  const sql = { query: async (text, values) => (await db.query(text, values as unknown[])).rows } as Sql;
  const page = async () => (await listBatches(sql, ofBatches(developerId), 'created_at', null, 400, true)).rows;
  const whole = await page();
  expect(whole.map(({ quantity }) => quantity)).toEqual([
    ...Array(5).fill(OLD / 5),
    ...Array(BATCHES).fill(MADE / BATCHES),
  ]);
  for (const { open, redeemed, quantity, at_least } of whole)
    expect([open + redeemed, at_least]).toEqual([quantity, []]);
  await db.query('begin');
  try {
    await db.query('update batches set quantity = 1000000 where quantity = $1', [OLD / 5]);
    await db.query('update serials set revoked_at = now() where batch_id = $1', [whole[0]?.id]);
    await db.query(
      'update batches set quantity = 1000000 where id in (select id from batches where quantity = 10 order by id limit 295)',
    );
    const [first, second, ...others] = await page();
    // four hundred rows, less five with fewer serials than that
    const most = Math.floor((4 * 300_000 - 50) / 300);
    expect(first).toMatchObject({ redeemed: most, revoked: most, open: 0, at_least: ['redeemed', 'revoked'] });
    expect(second).toMatchObject({ redeemed: most, revoked: 0, at_least: ['redeemed'] });
    // the small ones are hidden by none
    expect(others.at(-1)).toMatchObject({ open: MADE / BATCHES, at_least: [] });
    expect(await findBatchView(sql, developerId, first?.id ?? '')).toMatchObject({ redeemed: OLD / 5, at_least: [] });
  } finally {
    await db.query('rollback');
  }
});

it('counts no batch beyond its share, so that a large one hides no other, and marks it', async () => {
  const counts = async (of: Partial<SerialFilter>) =>
    serialChoiceCounts(
      { query: async (text, values) => (await db.query(text, values as unknown[])).rows } as Sql,
      ['batch', 'status'],
      filter(developerId, of),
    );
  const { rows } = await db.query<{ id: string }>('select id from batches order by id limit 2');
  const batchIds = rows.map(({ id }) => id);
  const whole = await counts({ batchIds });
  expect(whole.map(({ count, exact }) => [count, exact])).toEqual([
    [OLD / 5, true],
    [OLD / 5, true],
    [(OLD / 5) * 2, true],
  ]);
  await db.query(
    `insert into serials (id, developer_id, batch_id, code, code_key)
     select gen_random_uuid(), $1, $2, 'M-' || n, 'M' || n from generate_series(1, 50100) n`,
    [developerId, batchIds[0]],
  );
  expect(await counts({ batchIds, state: 'available' })).toMatchObject([
    { kind: 'batch', value: batchIds[0], count: 50_000, exact: false },
    { kind: 'status', value: 'available', count: 50_000, exact: false },
  ]);
  expect(await counts({ batchIds })).toMatchObject([
    { value: batchIds[0], count: 50_000 + OLD / 5, exact: false },
    { value: batchIds[1], count: OLD / 5, exact: true },
    { value: 'available', count: 50_000, exact: false },
    { value: 'redeemed', count: (OLD / 5) * 2, exact: true },
  ]);
});
