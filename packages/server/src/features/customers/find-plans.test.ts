import { openPlanDatabase, rowsOf } from '@tonerow/test-support/plan-rows.ts';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlOf } from '#platform/db/database.ts';
import type { Sql } from '#platform/db/sql.ts';
import type { Door } from '#platform/db/work.ts';
import { findCustomers } from './customer-search.ts';

// An account with far more customers than are looked at one by one, and another one, of which alone the statistics know.

const [developerId, other] = ['0199f000-0000-7000-8000-000000000001', '0199f000-0000-7000-8000-000000000002'];
const SIZES = [21_000, 42_000] as const;

let database: Awaited<ReturnType<typeof openPlanDatabase>>;
let db: pg.Client;
beforeAll(async () => {
  database = await openPlanDatabase();
  db = database.db;
  await db.query('alter table customers set (autovacuum_enabled = off)');
  for (const id of [developerId, other])
    await db.query(
      `insert into users (id, role, email, email_key, password_hash, first_name, last_name, created_at)
       values ($1::text::uuid, 'developer', $1::text || '@example.com', $1::text || '@example.com', '', 'A', 'B', now())`,
      [id],
    );
  await add(other, 1, 1000);
  await db.query('analyze customers');
});
afterAll(() => database.drop());

/** Each a second older than the one before. */
async function add(id: string, from: number, to: number): Promise<void> {
  await db.query(
    `insert into customers (id, developer_id, email, email_key, first_name, last_name, created_at)
     select gen_random_uuid(), $1, e, e, 'First' || i % 1000, case i when 20000 then '鈴木一郎' else 'Last' || i % 7777 end, now() - i * interval '1 second'
     from generate_series($2::int, $3::int) i cross join lateral (select case i when 20001 then 'zz' else 'fan' end || i || '@example.com' as e) e`,
    [id, from, to],
  );
}

/** The database, which counts the rows that are read of tables. */
function watched(seen: { rows: number }): Door {
  const sql: Sql = {
    async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      const { rows } = await db.query(`explain (analyze, timing off, format json) ${text}`, values as unknown[]);
      seen.rows += rowsOf(rows[0]['QUERY PLAN'][0].Plan).ofTables;
      return sqlOf(db).query<Row>(text, values);
    },
  };
  return {
    ...sql,
    async work({ settings = {} }, run) {
      await db.query('begin');
      try {
        for (const [name, value] of Object.entries(settings)) await db.query(`set local ${name} = ${value}`);
        return await run(sql);
      } finally {
        await db.query('rollback');
      }
    },
  };
}

/** Of the newest, whether there are more, and of what an index finds. */
const MOST = 20_100;

describe.each(SIZES)('with %i customers', (size) => {
  beforeAll(async () => {
    await add(developerId, size === SIZES[0] ? 1 : SIZES[0] + 1, size);
  }, 120_000);

  describe.each(['before', 'after'])('%s the statistics know of them', (when) => {
    beforeAll(async () => {
      if (when === 'after') await db.query('analyze customers');
    });

    it.each([
      ['a name that nobody has', 'nobody has this', []],
      ['three letters that nobody has', 'zqx', []],
      ['two letters that nobody has', 'zq', []],
      ['a sign that everybody has', '@', ['fan1@', 'fan2@', 'fan3@', 'fan4@', 'fan5@']],
      ['words that many have', 'last', ['fan1@', 'fan2@', 'fan3@', 'fan4@', 'fan5@']],
      ['one of long ago', 'fan19999@example', ['fan19999@']],
      ['a name of long ago', 'first777 last7777', []],
      ['a name in another script of long ago', '鈴木一郎', []],
      ['an address that nobody has', 'smith@', []],
      ['two letters that an old address begins with', 'zz', ['zz20001@']],
    ])('%s: no more is read than the newest', async (_, words, emails) => {
      const seen = { rows: 0 };
      const found = await findCustomers(watched(seen), developerId, words, 5);
      expect(found.map(({ email }) => email.replace('example.com', ''))).toEqual(emails);
      expect(seen.rows).toBeLessThan(MOST);
    });
  });
});
