// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources of templates
import { migratedTables, serverSources } from '@tonerow/test-support/sql-templates.ts';
import { lostColumns } from '@tonerow/test-support/template-columns.ts';
import { describe, expect, it } from 'vitest';

// A text of SQL is read by no compiler. Its columns are looked up in the tables as the newest migration leaves them, without a database,
// so that a column that was renamed is found in seconds.

const tables = migratedTables();

describe('columns that a text of SQL names', () => {
  it('are those of their tables', () => {
    const lost = serverSources().flatMap(({ file, source }) =>
      lostColumns(source, tables).map(({ line, column, table }) => `${file}:${line} ${column} (${table})`),
    );
    expect(lost).toEqual([]);
  });

  it.each([
    ['by an alias', 'sql`select s.cod from serials s`', 's.cod'],
    ['by another alias', 'sql`select 1 from serials s join batches as b on b.idd = s.batch_id`', 'b.idd'],
    ['after a comma', 'sql`select 1 from batches b, serials s where s.cod = 1`', 's.cod'],
    ['by the name of the table', 'sql`select serials.cod from serials`', 'serials.cod'],
    ['that is compared', 'sql`delete from serials s using batches b where b.idd = s.batch_id`', 'b.idd'],
    ['that is inserted', 'sql`insert into serials as s (id, cod) select 1, 2`', 'cod'],
    ['that is set', 'sql`update serials set code = coalesce(code, 1), cod = ${code} where true`', 'cod'],
    ['in a part of a text', 'const which = sql`s.cod = 1`; sql`select 1 from serials s where ${which}`', 's.cod'],
  ])('are missed %s', (_, source, column) => {
    expect(lostColumns(source, tables).map((each) => each.column)).toEqual([column]);
  });

  it.each([
    ['of a part of a WITH', 'sql`with s as (select 1 as x) select s.x from s`'],
    ['of a select in parentheses', 'sql`select s.x from (select code as x from serials) s`'],
    ['of a function', 'sql`select o.x from unnest(${xs}::int[]) as o (x)`'],
    ['of whatever is put in', 'sql`select x.n from ${rows} x`'],
    ['of two tables with one alias', 'sql`select a.code from serials a union all select a.email from customers a`'],
    ['of every table', 'sql`select s.ctid, s.xmin from serials s`'],
  ])('may be those %s', (_, source) => {
    expect(lostColumns(source, tables)).toEqual([]);
  });
});
