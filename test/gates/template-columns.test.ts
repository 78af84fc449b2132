// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources of templates
import { migratedTables, serverSources } from '@tonerow/test-support/sql-templates.ts';
import { templateColumns } from '@tonerow/test-support/template-columns.ts';
import { describe, expect, it } from 'vitest';

// No compiler reads a text of SQL. Its columns are looked up in the tables as the newest migration leaves them, and in the columns that
// other parts of the same statement select or return. It needs no database, so a column that was renamed is found in seconds.

/** The fewest columns that have to be looked up: otherwise nobody would notice that the source of most of them is no longer known. */
const LEAST = { ofTables: 3900, ofParts: 700 };

const tables = migratedTables();
const all = serverSources().flatMap(({ file, source }) =>
  templateColumns(source, tables).map((each) => ({ file, ...each })),
);

const lostOf = (source: string) =>
  templateColumns(source, tables)
    .filter(({ isLost }) => isLost)
    .map(({ column }) => column);

describe('columns that a text of SQL names', () => {
  it('are those of their tables, and of the parts of their statement', () => {
    const lost = all.filter(({ isLost }) => isLost);
    expect(lost.map(({ file, line, column, table }) => `${file}:${line} ${column} (${table})`)).toEqual([]);
  });

  it('are looked up', () => {
    const ofTables = all.filter(({ table }) => tables.has(table)).length;
    expect(ofTables).toBeGreaterThanOrEqual(LEAST.ofTables);
    expect(all.length - ofTables).toBeGreaterThanOrEqual(LEAST.ofParts);
  });

  it.each([
    ['by an alias', 'sql`select s.cod from serials s`', 's.cod'],
    ['by another alias', 'sql`select 1 from serials s join batches as b on b.idd = s.batch_id`', 'b.idd'],
    ['after a comma', 'sql`select 1 from batches b, serials s where s.cod = 1`', 's.cod'],
    ['by the name of the table', 'sql`select serials.cod from serials`', 'serials.cod'],
    ['that is compared', 'sql`delete from serials s using batches b where b.idd = s.batch_id`', 'b.idd'],
    ['that is inserted', 'sql`insert into serials as s (id, cod) select 1, 2`', 'cod'],
    ['that is set', 'sql`update serials set code = coalesce(code, 1), cod = ${code} where true`', 'cod'],
    [
      'that is there already',
      'sql`insert into serials (id) values (${id}) on conflict (id) do update set code = excluded.cod`',
      'excluded.cod',
    ],
    ['of a join', "sql`select 1 from serials s ${ownJoin('batches as b', 'b.idd', 's.batch_id')}`", 'b.idd'],
    ['of a match', "sql`select 1 from serials s, batches b where ${ownMatch('b.id', 's.batch')}`", 's.batch'],
    ['in a part of a text', 'const which = sql`s.cod = 1`; sql`select 1 from serials s where ${which}`', 's.cod'],
    [
      'by an alias of two tables',
      'sql`select a.code from serials a union all select a.code from customers a`',
      'a.code',
    ],
    ['of a part of a WITH', 'sql`with t as (select s.id from serials s) select t.code from t`', 't.code'],
    ['of a part with names', 'sql`with t (x) as (select id from serials) select t.id from t`', 't.id'],
    ['of a part with every column', 'sql`with t as (select s.*, 1 as n from serials s) select t.cod from t`', 't.cod'],
    [
      'of a part that writes',
      'sql`with t as (update serials s set code = ${code} where s.id = ${id} returning s.id) select t.code from t`',
      't.code',
    ],
    ['of a part of a part', 'sql`with t as (select 1 as x), u as (select t.x from t) select u.y from u`', 'u.y'],
    [
      'of a part beside what is put in',
      'sql`${first}, t as (select s.id from serials s ${joins} where ${which} ${also} limit ${n}), ${more} select t.code from t`',
      't.code',
    ],
    ['of a select in parentheses', 'sql`select x.code from (select s.id from serials s) x`', 'x.code'],
    [
      'of a lateral join',
      'sql`select 1 from batches b cross join lateral (select s.id from serials s where s.batch_id = b.id ${also}) x where x.code = 1`',
      'x.code',
    ],
    ['of a lateral join in a part of a text', 'sql`left join lateral (select 1 as n) x on x.m = ${n}`', 'x.m'],
    ['of parts of a WITH in a part of a text', 'sql`t as (select 1 as n), u as (select t.m from t)`', 't.m'],
    ['of arrays', 'sql`select x.c from unnest(${a}::int[], ${b}::int[]) as x (a, b)`', 'x.c'],
    ['of records', 'sql`select x.b from json_to_recordset(${rows}::json) as x (a int)`', 'x.b'],
    ['of values', 'sql`select x.c from (values (1, 2)) as x (a, b)`', 'x.c'],
  ])('are missed %s', (_, source, column) => {
    expect(lostOf(source)).toEqual([column]);
  });

  it.each([
    ['of a part of a WITH', 'sql`with s as (select 1 as x) select s.x from s`'],
    ['of a select in parentheses', 'sql`select s.x from (select code as x from serials) s`'],
    ['of a function', 'sql`select o.x from unnest(${xs}::int[]) as o (x)`'],
    ['of a function by its own name', 'sql`select d.d from generate_series(1, 2) d`'],
    ['of whatever is put in', 'sql`select x.n from ${rows} x`'],
    ['of a select that is put in', 'sql`select x.n from (${query}) x`'],
    ['of a WITH that is put in', 'sql`with ${parts} select p.n from part p`'],
    ['of a lateral join that is put in', 'sql`select x.n from serials s cross join lateral ${first} where x.n > 0`'],
    ['of a list that is put in', 'sql`select t.n from (select ${columns} from serials s) t`'],
    ['of a list that begins with it', 'sql`select t.n from (select ${columns} s.id from serials s) t`'],
    ['of a list that goes on', 'sql`select t.n from (select s.id ${columns} from serials s) t`'],
    [
      'of a FROM that goes on',
      'sql`select x.n from (select 1 as n) x where exists (select 1 from serials s ${joins} where x.m = 1)`',
    ],
    [
      'of a FROM behind a list',
      'sql`select x.n, (select count(*) ${from} where x.m = 1) as m from (select 1 as n) x where x.n > 0`',
    ],
    ['of two tables with one alias', 'sql`select a.code from serials a union all select a.email from customers a`'],
    ['of every table', 'sql`select s.ctid, s.xmin from serials s`'],
  ])('may be those %s', (_, source) => {
    expect(lostOf(source)).toEqual([]);
  });

  it.each([
    ['of each column', 'sql`with t as (select s.*, 1 as n from serials s) select t.code + t.n from t`', 't.code t.n'],
    [
      'of every column',
      'sql`select x.code, x.n from (select * from serials cross join (select 1 as n) y) x`',
      'x.code x.n',
    ],
    [
      'of what is returned',
      'sql`with t as (delete from serials using batches b where true returning *) select t.code, t.quantity from t`',
      't.code t.quantity',
    ],
    ['of a union', 'sql`select x.a from (select 1 as a union all select 2) x`', 'x.a'],
    ['of what has no name', 'sql`select x.count, x.sum from (select count(*), sum(a)::int from t) x`', 'x.count x.sum'],
    [
      'of a function with numbers',
      'sql`select x.a, x.n from jsonb_array_elements(${list}) with ordinality as x (a, n)`',
      'x.a x.n',
    ],
    ['of a value', 'sql`select x.n from (select ${n}::int as n, ${m} as m from serials) x`', 'x.n'],
  ])('are those %s', (_, source, columns) => {
    const found = templateColumns(source, tables);
    expect(found.map(({ column, isLost }) => [column, isLost])).toEqual(
      columns.split(' ').map((each) => [each, false]),
    );
  });
});
