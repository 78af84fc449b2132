import { handRows } from '@tonerow/test-support/hand-rows.ts';
import { migratedTables, serverSources } from '@tonerow/test-support/sql-templates.ts';
import { describe, expect, it } from 'vitest';

// A row that a text of SQL reads names the columns by their tables (`Columns<'serials', 'id'>`), so that the compiler finds those
// that were renamed. What is computed is declared by hand.

/** Files that declare one by hand, by its name, and why. */
const ALLOWED: { file: string; member: string; why: string }[] = [
  {
    file: 'features/customers/customers.queries.ts',
    member: 'id',
    why: 'of six tables, whatever happened with a customer',
  },
  { file: 'features/serials/change/history.ts', member: 'id', why: 'of those that it was given' },
  {
    file: 'features/serials/redeemed/redeemed.queries.ts',
    member: 'redeemed_at',
    why: 'never null of what is redeemed',
  },
  {
    file: 'features/serials/redeemed/redeemed.queries.ts',
    member: 'customer_id',
    why: 'never null of what is redeemed',
  },
  { file: 'features/shops/orders/duplicates.ts', member: 'id', why: 'of those that it was given' },
  { file: 'features/webhooks/delivery/write-outcomes.ts', member: 'id', why: 'of those that it was given' },
];

const tables = migratedTables();
const sources = serverSources();
const found = sources.flatMap(({ file, source }) => handRows(source, tables).map((each) => ({ file, ...each })));

describe('rows that a text of SQL reads', () => {
  it('name columns by their tables', () => {
    expect(sources.length).toBeGreaterThan(500);
    const offenses = found.filter(
      (each) => !ALLOWED.some((one) => one.file === each.file && one.member === each.member),
    );
    expect(offenses.map(({ file, line, member, table }) => `${file}:${line} ${table}.${member}`)).toEqual([]);
  });

  it('are excused only where there is something to excuse', () => {
    const needless = ALLOWED.filter(
      (one) => !found.some(({ file, member }) => file === one.file && member === one.member),
    );
    expect(needless).toEqual([]);
  });

  it.each([
    ['in place', 'sql<{ code: string }>`select s.code from serials s where s.id = 1`;', 'serials.code'],
    ['beside a count', 'sql<{ n: number; code: string }>`select code, 1 as n from serials`;', 'serials.code'],
    ['of what was changed', 'sql<{ id: string }>`update serials set seats_used = 0 returning id`;', 'serials.id'],
    ['of what was added', 'sql<{ id: string }>`insert into serials (id) values (1) returning id`;', 'serials.id'],
    ['that may be null', 'sql<{ label: string | null }>`select label from activations`;', 'activations.label'],
    [
      'beside others',
      "sql<Columns<'serials', 'id'> & { code: string }>`select id, code from serials`;",
      'serials.code',
    ],
    ['by an interface', 'interface Row { code: string }\nsql<Row>`select code from serials`;', 'serials.code'],
    [
      'by a part of one',
      "type Row = { code: string };\nsql<Omit<Row, 'n'>>`select code from serials`;",
      'serials.code',
    ],
    [
      'by what one extends',
      'interface Key { id: string }\ninterface Row extends Key { n: number }\nsql<Row>`select id, 1 as n from serials`;',
      'serials.id',
    ],
  ])('are found to declare one by hand %s', (_, source, column) => {
    expect(handRows(source, tables).map(({ table, member }) => `${table}.${member}`)).toEqual([column]);
  });

  it.each([
    ['by its table', "sql<Columns<'serials', 'code'>>`select code from serials`;"],
    ['that is computed', 'sql<{ n: number }>`select count(*) as n from serials`;'],
    ['that has the name of another', 'sql<{ id: string }>`select p.developer_id as id from products p`;'],
    ['that is never null here', 'sql<{ label: string }>`select label from activations where label is not null`;'],
    ['that is null without a row', 'sql<{ code: string | null }>`select s.code from x left join serials s on true`;'],
    ['that is bytes', 'sql<{ token_hash: Buffer | null }>`select token_hash from activations`;'],
    ['that is packed', 'sql<Record<string, { failed: number }>>`select json_build_object(failed) from webhook_days`;'],
    ['of a table that is none of ours', 'sql<{ name: string }>`select c.relname as x, name from pg_class c`;'],
  ])('may have one %s', (_, source) => {
    expect(handRows(source, tables)).toEqual([]);
  });
});
