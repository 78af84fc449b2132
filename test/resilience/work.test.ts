import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entities } from '../../packages/server/src/entities.ts';
import { type ProductsDb, tables } from '../../packages/server/src/features/products/tables.ts';
import type { Database } from '../../packages/server/src/platform/db/database.ts';
import { openDatabase } from '../../packages/server/src/platform/db/open.ts';
import { copyIn } from '../../packages/server/src/platform/db/statements/copy.ts';
import { joinOwn, joinShared } from '../../packages/server/src/platform/db/tenant.ts';
import { createLogger } from '../../packages/server/src/platform/log.ts';

const SOMEBODY = '01890000-0000-7000-8000-000000000001';

let database: TestDatabase;
let db: Database;
let own: ProductsDb;
const open = (pooled: boolean) => {
  const sizes = { api: 2, licensing: 2, bulk: 2 };
  const log = createLogger('silent');
  return openDatabase({ url: database.url, sizes, log, entities, migrationsFolder: 'migrations', pooled }).db;
};
beforeAll(async () => {
  database = await createTestDatabase();
  db = open(false);
  own = tables.of(db);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const asleep = () =>
  database.query("select 1 from pg_stat_activity where query like 'select pg_sleep(60)%' and state = 'active'");

describe('work that is called off', () => {
  it.each([{ tx: false }, { tx: true }])('stops the running statement, with $tx as its transaction', async ({ tx }) => {
    const leaving = new AbortController();
    const work = own.work({ tx, signal: leaving.signal }, (begin) => sql`select pg_sleep(60)`.execute(begin));
    const ended = expect(work).rejects.toThrow();
    await expect.poll(asleep).toHaveLength(1);
    leaving.abort(new Error('left'));
    await ended;
    await expect.poll(asleep).toHaveLength(0);
  });
});

describe('work in a lane', () => {
  const where = async (db: ProductsDb, options: Parameters<ProductsDb['work']>[0]) => {
    const show = sql<{ lane: string; longest: string }>`select current_setting('application_name') as lane,
      current_setting('statement_timeout') as longest`;
    return (await db.work(options, (begin) => show.execute(begin))).rows[0];
  };

  it('has the connections of that lane with their limits, and bulk work has its turn', async () => {
    expect(await where(own, {})).toEqual({ lane: 'tonerow-api', longest: '20s' });
    expect(await where(own, { lane: 'licensing', tx: true })).toEqual({ lane: 'tonerow-licensing', longest: '5s' });
    expect(await where(own, { lane: 'bulk', account: SOMEBODY, tx: true })).toEqual({
      lane: 'tonerow-bulk',
      longest: '15min',
    });
  });
});

it('a transaction that another one has ended is repeated as a whole, and nothing of the first attempt stays', async () => {
  let attempts = 0;
  const rows = await own.work({ tx: true }, async (begin) => {
    attempts += 1;
    await sql`create temporary table seen (attempt int)`.execute(begin);
    await sql`insert into seen values (${attempts})`.execute(begin);
    if (attempts === 1) await sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`.execute(begin);
    return (await sql<{ attempt: number }>`select attempt from seen`.execute(begin)).rows;
  });
  expect(rows).toEqual([{ attempt: 2 }]);
});

it('settings are of the transaction alone', async () => {
  const scans = sql<{ on: string }>`select current_setting('enable_seqscan') as on`;
  const within = await own.work({ tx: true, settings: { enable_seqscan: 'off' } }, (begin) => scans.execute(begin));
  const after = await own.work({ tx: true }, (begin) => scans.execute(begin));
  expect([within.rows, after.rows]).toEqual([[{ on: 'off' }], [{ on: 'on' }]]);
});

it('a transaction takes COPY on its own connection', async () => {
  const counted = await own.work({ tx: true }, async (begin) => {
    await sql`create temporary table copied (word text) on commit drop`.execute(begin);
    if (!begin.client) throw new Error('no connection');
    await copyIn(begin.client, 'copy copied from stdin', [Buffer.from('one\ntwo\n')]);
    return (await sql<{ n: number }>`select count(*) as n from copied`.execute(begin)).rows;
  });
  expect(counted).toEqual([{ n: 2 }]);
});

describe('a statement that is compiled once', () => {
  const words = tables.named('words', (begin, developerId: string, names: readonly string[], at: Date) =>
    begin
      .selectFrom('products as p')
      .select(['p.id', 'p.feature_list', 'p.created_at'])
      .where('p.developer_id', '=', developerId)
      .where('p.name_key', '=', sql<string>`any(${names})`)
      .where('p.created_at', '<', at),
  );
  const named = sql<{ name: string }>`select name from pg_prepared_statements order by name`;

  it('is sent under its name, with the values in their places', async () => {
    const { rows } = await own.work({ tx: true }, async (begin) => {
      expect(await words(begin, SOMEBODY, ['one', 'two'], new Date())).toEqual([]);
      expect(await words(begin, SOMEBODY, ['three'], new Date())).toEqual([]);
      return named.execute(begin);
    });
    expect(rows.map(({ name }) => name)).toContain('products.words');
  });

  it('has no name where a pooler may hand the connection on', async () => {
    const pooled = open(true);
    try {
      const own = tables.of(pooled);
      // the second statement is sent where the first one was
      expect(await words(own, SOMEBODY, ['one'], new Date())).toEqual([]);
      expect((await named.execute(own)).rows).toEqual([]);
      const { rows } = await own.work({ tx: true, named: true }, async (begin) => {
        expect(await words(begin, SOMEBODY, ['one'], new Date())).toEqual([]);
        return named.execute(begin);
      });
      expect(rows).toEqual([]);
    } finally {
      await pooled.close();
    }
  });
});

describe('as text for COPY', () => {
  it('a query has its values where they belong, quoted', async () => {
    const query = sql`select ${'o’neill \\ \' "x" $1'}::text as a, ${7}::int as b, ${null}::text as c, ${true}::boolean as d,
      ${['x', "y'z"]}::text[] as e, ${new Date('2026-01-02T03:04:05.678Z')}::timestamptz as f`;
    expect(await database.query(tables.text(query))).toEqual([
      {
        a: 'o’neill \\ \' "x" $1',
        b: 7,
        c: null,
        d: true,
        e: ['x', "y'z"],
        f: new Date('2026-01-02T03:04:05.678Z'),
      },
    ]);
  });
});

describe('the compiler', () => {
  it('refuses what a feature may not write, joins without a tenant, and columns that are not there', () => {
    const versions = own.selectFrom('file_versions as v');
    // each of these lines is a fault, which the type check of this file has to find
    const faults = [
      // @ts-expect-error serials are another feature's
      () => own.insertInto('serials'),
      // @ts-expect-error so are they under another name
      () => own.updateTable('batches as b'),
      // @ts-expect-error and in a part of a WITH
      () => own.with('gone', (begin) => begin.deleteFrom('activations')),
      // @ts-expect-error no such table
      () => own.selectFrom('product'),
      // @ts-expect-error no such column
      () => own.selectFrom('products').select('titel'),
      // @ts-expect-error compared with the wrong type
      () => own.selectFrom('products').where('price_cents', '=', 'free'),
      // @ts-expect-error set to the wrong type
      () => own.updateTable('products').set({ is_draft: 'no' }),
      // @ts-expect-error a join has to compare the tenant
      () => versions.innerJoin('products as p', 'p.id', 'v.product_id'),
      // @ts-expect-error a table of tenants is not shared
      () => versions.$call(joinShared('products as p', 'p.id', 'v.product_id')),
      // @ts-expect-error no such column in the joined table
      () => versions.$call(joinOwn('products as p', 'p.uuid', 'v.product_id')),
      // @ts-expect-error no such column in the query
      () => versions.$call(joinOwn('products as p', 'p.id', 'v.produkt_id')).select('p.name'),
    ];
    expect(faults).toHaveLength(11);
  });

  it('lets a join have both', () => {
    const joined = own
      .selectFrom('file_versions as v')
      .$call(joinOwn('products as p', 'p.id', 'v.product_id'))
      .$call(joinShared('users as u', 'u.id', 'v.developer_id'))
      .select(['v.name', 'p.name as product', 'u.email'])
      .where('v.developer_id', '=', SOMEBODY);
    expect(joined.compile().sql).toContain('"p"."developer_id" = "v"."developer_id" and "p"."id" = "v"."product_id"');
  });
});
