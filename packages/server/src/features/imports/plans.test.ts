import { Readable } from 'node:stream';
import {
  addDeveloper,
  keepStatistics,
  openPlanDatabase,
  type PlanNode,
  rowsOf,
} from '@tonerow/test-support/plan-rows.ts';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { openCsv } from '#platform/csv/read.ts';
import { type Sql, sqlOf } from '#platform/db/database.ts';
import { copyIn } from '#platform/db/statements/copy.ts';
import { systemRandom } from '#platform/random.ts';
import { seedLedger } from '../../../../../scripts/bench/seeds/seed.ts';
import { Partnerships } from '../partnerships/partnerships.service.ts';
import { ColumnReader } from './columns/reading.ts';
import { headsOf, SourceTable } from './columns/source-table.ts';
import type { Importer } from './importer.ts';
import { availableImport } from './kinds/available.ts';
import { customersImport } from './kinds/customers.ts';
import { ProductsByName } from './kinds/products-by-name.ts';
import { redeemedImport } from './kinds/redeemed.ts';
import { REJECTED } from './staging.ts';
import { tables } from './tables.ts';

// A new tenant on a server full of other tenants' rows: the statistics know nothing about it, and no ANALYZE runs
// between its first file and the next ones.

const OTHERS = 20_000;
const LINES = 6000;
const TENANT = '01990000-0000-7000-8000-00000000ffff';
const random = systemRandom(systemClock);

let database: Awaited<ReturnType<typeof openPlanDatabase>>;
let db: pg.Client;
beforeAll(async () => {
  database = await openPlanDatabase();
  db = database.db;
  await keepStatistics(db, ['customers', 'serials', 'redemptions', 'batches', 'products']);
  for (const mark of [1, 2]) {
    const id = `01980000-0000-7000-8000-00000000000${mark}`;
    await addDeveloper(db, id);
    await seedLedger(db, id, OTHERS, mark);
  }
  await db.query('analyze');
  await addDeveloper(db, TENANT);
  await db.query(
    `insert into products (id, developer_id, name, name_key, feature_list, file_urls, is_draft, price_cents, version, created_at, updated_at)
     values ($1, $2, 'Chorus', 'chorus', '[]', '[]', false, 1000, 1, now(), now())`,
    [random.id(), TENANT],
  );
});
afterAll(() => database.drop());

/** Runs every statement twice: once to see how, taken back, and then for real. */
function watched(sql: Sql, seen: { text: string; rows: number }[]): Sql {
  return {
    ...(sql.client && { client: sql.client }),
    async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      if (/^\s*(select|with|insert|update|delete)\b/i.test(text)) {
        await sql.query('savepoint before');
        const [row] = await sql.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
          `explain (analyze, timing off, format json) ${text}`,
          values,
        );
        await sql.query('rollback to before');
        seen.push({
          text,
          rows: rowsOf((row as { 'QUERY PLAN': { Plan: PlanNode }[] })['QUERY PLAN'][0]?.Plan as PlanNode).all,
        });
      }
      return sql.query<Row>(text, values);
    },
  };
}

type Kind = 'available' | 'redeemed' | 'customers';

async function importerOf(kind: Kind): Promise<Importer> {
  const context = { developerId: TENANT, importId: random.id(), now: new Date(), random };
  const products = await ProductsByName.read(tables.in(sqlOf(db)), TENANT);
  const partnerships = new Partnerships({ clock: systemClock, random });
  if (kind === 'customers') return customersImport(context);
  return kind === 'available'
    ? availableImport({ ...context, products, ends: 'ignore' })
    : redeemedImport({ ...context, products, partnerships, ends: 'ignore', timeZone: 'UTC' });
}

/** Like a vacuum that comes by before the serials of the import are added. It passes over what is locked. */
function vacuumed(sql: Sql, other: pg.Client): Sql {
  return {
    ...(sql.client && { client: sql.client }),
    async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      if (text.includes('insert into serials')) await other.query('vacuum (skip_locked) customers, serials, batches');
      return sql.query<Row>(text, values);
    },
  };
}

async function bring(kind: Kind, csv: string, watch: boolean | pg.Client = true) {
  const importer = await importerOf(kind);
  const opened = await openCsv(Readable.from([Buffer.from(csv)]));
  const { places } = headsOf(opened.head, kind);
  const table = new SourceTable({ file: opened, places, reader: new ColumnReader(), timeZone: 'UTC' });
  let rows = '';
  for await (const record of table.records) rows += importer.row(table, record);
  const seen: { text: string; rows: number }[] = [];
  await db.query('begin');
  const handle = tables.in(sqlOf(db));
  await importer.stage.execute(handle);
  await REJECTED.execute(handle);
  await copyIn(db, importer.copy, [Buffer.from(rows)]);
  await db.query('analyze staged');
  const sent = watch === true ? watched(sqlOf(db), seen) : watch ? vacuumed(sqlOf(db), watch) : null;
  const settled = await importer.settle(sent ? tables.in(sent) : handle, false);
  const read = await db.query(
    `select sum(seq_tup_read)::int as n from pg_stat_xact_user_tables where relname = 'batches'`,
  );
  await db.query('commit');
  return { settled, seen, read: read.rows[0].n as number };
}

const file = (head: string, line: (i: number) => string, from: number, to: number) =>
  `${head}\n${Array.from({ length: to - from }, (_, i) => `${line(from + i)}\n`).join('')}`;
const redeemed = (from: number, to: number) =>
  file(
    'Serial,Product,Email,First Name,Last Name,Reseller',
    (i) => `NEW-${i},Chorus,fan${i >> 1}@example.com,First,Last,Shop ${i % 50}`,
    from,
    to,
  );
const available = (from: number, to: number) =>
  file('Serial,Product,Batch Tag', (i) => `NEW-${i},Chorus,Tag ${i % 500}`, from, to);
const customers = (from: number, to: number) => file('Email', (i) => `fan${i}@example.com`, from, to);

it.each([
  ['its first serials', 'available', available(0, LINES), { added: LINES, known: 0 }],
  ['what half of them became', 'redeemed', redeemed(0, LINES / 2), { added: LINES / 2, known: 0 }],
  ['the same and as much again', 'redeemed', redeemed(0, LINES), { added: LINES / 2, known: LINES / 2 }],
  ['the same and new ones', 'redeemed', redeemed(LINES / 2, LINES * 2), { added: LINES, known: LINES / 2 }],
  ['the same', 'redeemed', redeemed(0, LINES), { added: 0, known: LINES }],
  ['the same as available', 'available', available(0, LINES), { added: 0, known: LINES }],
  ['customers, half of them known', 'customers', customers(LINES / 2, LINES * 2), { added: LINES, known: LINES / 2 }],
] as const)('looks at few rows for each line: %s', async (_what, kind, csv, outcome) => {
  const { seen, settled } = await bring(kind, csv);
  expect(settled).toMatchObject(outcome);
  // a join of everything with everything would be in the tens of millions
  const most = 30 * (csv.split('\n').length - 2) + 4 * OTHERS;
  for (const { text, rows } of seen) expect.soft(rows, text).toBeLessThan(most);
  expect(seen.length).toBeGreaterThan(kind === 'customers' ? 1 : 5);
});

it('replans foreign keys for the rows that were just added', async () => {
  await db.query(
    'truncate serials, batches, customers, redemptions, serial_events, activations, redeem_tickets cascade',
  );
  // a few batches on one page, and serials for them: each key is checked by reading that page
  await bring('available', available(0, 5), false);
  await db.query('analyze batches');
  await bring('available', available(5, 20), false);
  const many = file('Serial,Product,Batch Tag', (i) => `K-${i}-FK,Chorus,Tag ${i}`, 0, 3000);
  const { read } = await bring('available', many, false);
  expect(read).toBeLessThan(100_000);
});

it('is planned for what it has added when a vacuum comes by, which counts none of it', async () => {
  await db.query(
    'truncate serials, batches, customers, redemptions, serial_events, activations, redeem_tickets cascade',
  );
  await bring('redeemed', redeemed(0, LINES), await database.connect());
  const { rows } = await db.query(
    `select relname, reltuples::int as n from pg_class where oid in ('customers'::regclass, 'serials'::regclass, 'batches'::regclass) order by 1`,
  );
  expect(rows).toEqual([
    { relname: 'batches', n: 50 },
    { relname: 'customers', n: LINES / 2 },
    { relname: 'serials', n: LINES },
  ]);
});
