import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { serverSources } from '@tonerow/test-support/sql-templates.ts';
import { statementUses } from '@tonerow/test-support/statement-use.ts';
import { referredTables, tables, tenantTables } from '@tonerow/test-support/tables.ts';
import { tenantOffenses } from '@tonerow/test-support/tenant-sql.ts';
import { parsePlPgSQLSync } from 'libpg-query';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spread } from '../../packages/server/src/spread.ts';

/** Two columns of a tenant, compared by hand: the tenant could be left out. */
const BY_HAND = /\(\w+\.developer_id, \w+\.\w+\)\s+=\s+\(\w+\.developer_id, \w+\.\w+\)/g;

it('is joined to another table of its tenant by the platform', () => {
  const found = serverSources().flatMap(({ file, source }) =>
    [...source.matchAll(BY_HAND)].map(([text]) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

describe('a statement', () => {
  it.each([
    ['reads by id alone', 'select 1 from serials where id = $1'],
    ['joins by id alone', 'select 1 from serials s join batches b on b.id = s.batch_id where s.developer_id = $1'],
    ['locks by id alone', 'select 1 from serials where id = $1 for update'],
    ['changes by id alone', 'update serials set revoked_at = $2 where id = $1'],
    ['deletes by id alone', 'delete from serials where id = $1'],
    [
      'changes what a locked row names, without the tenant',
      `with held as (select id from serials where developer_id = $1 for update)
       update serials s set revoked_at = now() from held where s.id = held.id`,
    ],
    [
      'looks into another table for each row, without the tenant',
      `select (select count(*) from redemptions r where r.serial_id = s.id) from serials s where s.developer_id = $1`,
    ],
    [
      'names two tenants',
      `select 1 from serials where developer_id = $1 and batch_id in (select id from batches where developer_id = $2)`,
    ],
    [
      'writes a row of one tenant and reads what another has',
      `with entry as (insert into redemptions (developer_id, id) values ($1, $2) returning *), zone as (
         select z.developer_id from entry r join partner_calendars z on z.developer_id = r.developer_id)
       select 1 from webhook_endpoints e, zone where e.developer_id = $3`,
    ],
    [
      'writes rows of two tenants and reads what one of them has',
      `with entry as (insert into redemptions (developer_id, id) values ($3, $2), ($1, $4) returning *), zone as (
         select z.developer_id from entry r join partner_calendars z on z.developer_id = r.developer_id)
       select 1 from webhook_endpoints e, zone where e.developer_id = $1`,
    ],
    ['compares the tenant in another type', 'select 1 from serials where developer_id::text = $1'],
    ['copies out without the tenant', `copy (select code from serials where batch_id = 'x') to stdout`],
  ])('is refused when it %s', (_what, sql) => {
    expect(tenantOffenses(sql, tenantTables)).not.toEqual([]);
  });

  it.each([
    'select 1 from serials where developer_id = $1 and id = $2',
    'select 1 from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) where s.developer_id = $1',
    `with held as (select developer_id, id from serials where developer_id = $1 for update)
     update serials s set revoked_at = now() from held where (s.developer_id, s.id) = (held.developer_id, held.id)`,
    `select 1 from unnest($1::text[], $2::uuid[]) as q (code, developer_id)
     join serials s on s.code_key = q.code and s.developer_id = q.developer_id`,
    `with revoked as (update serials set revoked_at = $2 where developer_id = $1 returning developer_id, id)
     insert into serial_events (developer_id, id, serial_id) select developer_id, gen_random_uuid(), id from revoked`,
    `with entry as (insert into redemptions (developer_id, id) values ($1, $2) returning *), zone as (
       select z.developer_id from entry r join partner_calendars z on z.developer_id = r.developer_id)
     select 1 from webhook_endpoints e, zone where e.developer_id = $1`,
    '/* across tenants: housekeeping */ delete from redeem_tickets where expires_at <= $1',
    'select email from users where id = $1',
  ])('passes if it keeps to one tenant, or has a reason: %s', (sql) => {
    expect(tenantOffenses(sql, tenantTables)).toEqual([]);
  });
});

it('one value that a builder has given two numbers is one tenant, two values are two', () => {
  const sql =
    'select 1 from serials where developer_id = $1 and batch_id in (select id from batches where developer_id = $2)';
  expect(tenantOffenses(sql, tenantTables, { values: ['a', 'a'] })).toEqual([]);
  expect(tenantOffenses(sql, tenantTables, { values: ['a', 'b'] })).not.toEqual([]);
});

it('a list of tenants that is written as alternatives is a list, and other alternatives are none', () => {
  const bound = (condition: string) =>
    tenantOffenses(`select count(*) from serials s where ${condition}`, tenantTables, { mustBind: tenantTables });
  expect(bound("(s.developer_id = any($1) or s.developer_id = any('{}'::uuid[]))")).toEqual([]);
  expect(bound('(s.developer_id = any($1) or s.id = $2)')).not.toEqual([]);
  expect(bound('(s.developer_id = any($1) or s.developer_id <> $2)')).not.toEqual([]);
  expect(bound('(s.developer_id = any($1) or s.developer_id = s.id)')).not.toEqual([]);
});

it('one list of tenants that a statement names twice is one value, two lists are two', () => {
  const sql = `select (select count(*) from serials where developer_id = any($1)), (select count(*) from batches where developer_id = any($2))`;
  const [some, others] = [
    ['a', 'b'],
    ['a', 'b'],
  ];
  expect(tenantOffenses(sql, tenantTables, { values: [some, some] })).toEqual([]);
  expect(tenantOffenses(sql, tenantTables, { values: [some, others] })).not.toEqual([]);
});

describe('a statement that has to bind each table by a value', () => {
  const offenses = (sql: string) => tenantOffenses(sql, tenantTables, { mustBind: tenantTables });

  it.each([
    [
      'compares a subquery with the row around it',
      'select (select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id)) from batches b where b.developer_id = $1',
    ],
    [
      'asks whether there is one of the row around it',
      'select 1 from serials s where s.developer_id = $1 and exists (select 1 from draw_items i where i.developer_id = s.developer_id)',
    ],
    [
      'joins laterally',
      `select 1 from batches b cross join lateral (select 1 from serials s where s.developer_id = b.developer_id limit 1) s
       where b.developer_id = $1`,
    ],
    [
      'joins what a WITH has found',
      `with held as (select developer_id, id from serials where developer_id = $1 for update)
       update serials s set revoked_at = now() from held where (s.developer_id, s.id) = (held.developer_id, held.id)`,
    ],
    [
      'binds one half of a union',
      `select id from serials where developer_id = $1 union all
       select s.id from serials s join batches b using (developer_id)`,
    ],
    [
      'takes the tenants from a list of rows',
      'select 1 from unnest($1::uuid[]) t (id), serials s where s.developer_id = t.id',
    ],
    ['takes the tenants from a query', 'select 1 from serials where developer_id = any(array(select id from users))'],
  ])('is refused when it %s', (_what, sql) => {
    expect(offenses(sql)).not.toEqual([]);
  });

  it.each([
    'select 1 from serials where developer_id = $1 and id = $2',
    'select 1 from serials where (developer_id, id) = ($1, $2)',
    'select 1 from serials where developer_id = any($1::uuid[])',
    "select 1 from serials where developer_id = any(array['a', 'b']::uuid[])",
    "copy (select 1 from serials where developer_id = 'a') to stdout",
    'select 1 from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) where s.developer_id = $1',
    'select 1 from serials s left join batches b using (developer_id) where s.developer_id = $1',
    `select (select count(*) from serials s where s.developer_id = $1 and s.batch_id = b.id) from batches b where b.developer_id = $1`,
    `with held as (select developer_id, id from serials where developer_id = $1 for update)
     update serials s set revoked_at = now() from held where (s.developer_id, s.id) = ($1, held.id)`,
    'insert into serials (developer_id, id) values ($1, $2)',
    '/* across tenants: housekeeping */ delete from redeem_tickets where expires_at <= $1',
  ])('passes if it does, or has a reason: %s', (sql) => {
    expect(offenses(sql)).toEqual([]);
  });
});

/** Triggers of our own whose functions write anything. A function that is not PL/pgSQL can't be looked into, and counts. */
async function writingTriggers(db: TestDatabase): Promise<string[]> {
  const triggers = await db.query<{ name: string; language: string; definition: string }>(
    `select t.tgname as name, l.lanname as language, pg_get_functiondef(p.oid) as definition
     from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid join pg_language l on l.oid = p.prolang
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  expect(triggers.length).toBeGreaterThan(5);
  return triggers.filter((each) => each.language !== 'plpgsql' || writes(each.definition)).map(({ name }) => name);
}

/** Statements by which a function may do something unseen: it runs a text that it makes, or another function. */
const UNSEEN = new Set(['PLpgSQL_stmt_dynexecute', 'PLpgSQL_stmt_call', 'PLpgSQL_stmt_perform']);
const all = new Set(Object.keys(tables));

function writes(definition: string): boolean {
  // biome-ignore lint/suspicious/noExplicitAny: a parse tree has a hundred shapes, and this looks at four
  const walk = (node: any): boolean => {
    if (!node || typeof node !== 'object') return false;
    const query = node.PLpgSQL_stmt_execsql?.sqlstmt?.PLpgSQL_expr?.query;
    if (query && statementUses(query, all).some(({ does }) => does !== 'reads')) return true;
    return Object.entries(node).some(([kind, body]) => UNSEEN.has(kind) || walk(body));
  };
  return walk(parsePlPgSQLSync(definition));
}

describe('the catalog', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.drop());

  it('has the tables of the map, and no others', async () => {
    const rows = await db.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'mikro_orm_migrations'",
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(tables).sort());
    // a table without a kind would stay on the coordinator of a cluster
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(spread).sort());
  });

  it('has developer_id in every primary and unique key of a tenant’s table', async () => {
    const keys = await db.query<{ table: string; name: string; definition: string }>(
      `select c.relname as table, i.relname as name, pg_get_indexdef(x.indexrelid) as definition
       from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
       where x.indisunique and c.relname = any($1)`,
      [[...tenantTables]],
    );
    expect(keys.length).toBeGreaterThan(tenantTables.size - 1);
    expect(keys.filter(({ definition }) => !/\(.*\bdeveloper_id\b/.test(definition))).toEqual([]);
    const primary = keys.filter(({ name }) => name.endsWith('_pkey'));
    expect(primary.map(({ table }) => table).sort()).toEqual([...tenantTables].sort());
  });

  it('has developer_id in the primary key of every table with a developer, unless it finds one or has a reason', async () => {
    const keys = await db.query<{ table: string; definition: string }>(
      `select a.attrelid::regclass::text as table, pg_get_constraintdef(k.oid) as definition
       from pg_attribute a join pg_constraint k on k.conrelid = a.attrelid and k.contype = 'p'
       where a.attname = 'developer_id' and a.attrelid::regclass::text = any($1)`,
      [Object.keys(tables)],
    );
    expect(keys.length).toBeGreaterThan(tenantTables.size - 1);
    const without = keys.filter(({ definition }) => !/\bdeveloper_id\b/.test(definition)).map(({ table }) => table);
    expect(without).toContain('mails');
    expect(without.filter((table) => spread[table] !== 'reference' && !tables[table]?.because)).toEqual([]);
  });

  it('has no index that begins with developer_id where rows are looked up one by one, but for lists', async () => {
    const indexes = await db.query<{ name: string; definition: string }>(
      `select i.relname as name, pg_get_indexdef(x.indexrelid) as definition
       from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
       where c.relname in ('redemptions', 'activations') or exists (
         select 1 from pg_constraint k where k.contype = 'f' and k.confrelid = c.oid and k.conrelid::regclass::text = any($1)
           and c.relname = any($1))`,
      [[...tenantTables]],
    );
    expect(indexes.length).toBeGreaterThan(14);
    const imitates = indexes.filter(({ definition }) => /USING btree \(developer_id\b/.test(definition));
    expect(imitates.filter(({ definition }) => !definition.includes('infinity')).map(({ name }) => name)).toEqual([]);
  });

  it('has developer_id on both sides of every foreign key between tenants’ tables', async () => {
    const keys = await db.query<{ name: string; definition: string }>(
      `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
       where contype = 'f' and conrelid::regclass::text = any($1) and confrelid::regclass::text = any($1)`,
      [[...tenantTables]],
    );
    expect(keys.length).toBeGreaterThan(10);
    const both = /FOREIGN KEY \(\w+, developer_id\) REFERENCES \w+\(id, developer_id\)/;
    expect(keys.filter(({ definition }) => !both.test(definition))).toEqual([]);
  });

  it('refers from tenants’ tables to few that all machines have', async () => {
    const referred = await db.query<{ table: string }>(
      `select distinct confrelid::regclass::text as table from pg_constraint
       where contype = 'f' and conrelid::regclass::text = any($1) and not confrelid::regclass::text = any($1)`,
      [[...tenantTables]],
    );
    expect(referred.map(({ table }) => table).sort()).toEqual([...referredTables].sort());
  });

  it('changes no key of a tenant’s table with that of another', async () => {
    const changing = await db.query(
      "select conname from pg_constraint where contype = 'f' and confupdtype <> 'a' and conrelid::regclass::text = any($1)",
      [[...tenantTables]],
    );
    expect(changing).toEqual([]);
  });

  // a trigger runs on the machine that has the row, and reaches no other one
  it('has no trigger that writes a table', async () => {
    expect(await writingTriggers(db)).toEqual([]);
    await db.query(`
      create function planted() returns trigger language plpgsql as $$ begin
        if new.code <> old.code then update batches set quantity = quantity where developer_id = new.developer_id; end if;
        return new; end $$`);
    await db.query('create trigger planted before update on serials for each row execute function planted()');
    expect(await writingTriggers(db)).toEqual(['planted']);
    await db.query('drop trigger planted on serials');
    await db.query('drop function planted');
  });

  it('numbers no rows by a sequence, and guards its ledgers row by row', async () => {
    const sequences = await db.query(
      "select 1 from pg_sequences where schemaname = 'public' and sequencename not like 'mikro%'",
    );
    expect(sequences).toEqual([]);
    const statementTriggers = await db.query(
      'select tgname from pg_trigger where not tgisinternal and (tgtype & 1) = 0',
    );
    expect(statementTriggers).toEqual([]);
  });
});
