// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources of templates
import { castMembers } from '@tonerow/test-support/hand-row-casts.ts';
import { handRows } from '@tonerow/test-support/hand-rows.ts';
import { migratedTables, serverSources } from '@tonerow/test-support/sql-templates.ts';
import { describe, expect, it } from 'vitest';

// A row that a text of SQL reads names the columns by their tables (`Columns<'serials', 'id'>`), so that the compiler finds those
// that were renamed. What is computed is declared by hand, as the driver gives it: that is known of what a text casts.

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

/** The fewest members whose cast is compared: otherwise nobody would notice that most of them are no longer known. */
const LEAST = 80;

const tables = migratedTables();
const sources = serverSources();
const found = sources.flatMap(({ file, source }) => handRows(source, tables).map((each) => ({ file, ...each })));
const cast = sources.flatMap(({ file, source }) => castMembers(source).map((each) => ({ file, ...each })));

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

  it('declare what is cast as the driver gives it', () => {
    expect(cast.length).toBeGreaterThanOrEqual(LEAST);
    const wrong = cast.filter(({ isWrong }) => isWrong);
    expect(wrong.map((each) => `${each.file}:${each.line} ${each.member}::${each.cast}`)).toEqual([]);
  });

  it('come from a driver that parses two types in a way of ours', () => {
    const parsers = sources.flatMap(({ source }) => source.match(/setTypeParser\(.*/g) ?? []);
    expect(parsers).toEqual(['setTypeParser(20, Number);', 'setTypeParser(1082, (value) => value);']);
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

  it.each([
    ['text', 'sql<{ n: number }>`select count(*)::text as n from serials`;', 'n::text'],
    ['an integer', 'sql<{ n: string | null }>`select sum(seats_used)::int as n from serials`;', 'n::int4'],
    ['a large one', 'sql<{ n: bigint }>`select sum(seats_used)::bigint as n from serials`;', 'n::int8'],
    ['a count', 'interface Row { n: string }\nsql<Row>`select count(*) as n from serials`;', 'n::int8'],
    ['a decimal', 'sql<{ n: number }>`select (n / 2)::numeric(14, 2) as n from x`;', 'n::numeric'],
    ['a day', 'sql<{ day: Date }>`select ${at}::date as day`;', 'day::date'],
    ['a time', 'type A = string;\nsql<{ t: A | null }>`select max(t)::timestamptz as t from x`;', 't::timestamptz'],
    ['yes or no', "sql<{ b: 't' | 'f' }>`select (a = 1)::boolean as b from x`;", 'b::bool'],
    ['bytes', 'sql<{ hash: string }>`select hash::bytea from x`;', 'hash::bytea'],
    ['what is returned', 'sql<{ id: number }>`delete from serials returning id::text as id`;', 'id::text'],
    ['the outermost', 'sql<{ n: string }>`with t as (select 1::text as n) select n::int from t`;', 'n::int4'],
    ['both of a union', 'sql<{ n: string }>`select 1::int as n union all select 2::int`;', 'n::int4'],
  ])('are found to declare something else than %s', (_, source, column) => {
    const wrong = castMembers(source).filter(({ isWrong }) => isWrong);
    expect(wrong.map(({ member, cast: to }) => `${member}::${to}`)).toEqual([column]);
  });

  it.each([
    ['text', 'sql<{ n: string }>`select count(*)::text as n from serials`;'],
    ['one of a few texts', "sql<{ kind: 'a' | 'b' | null }>`select kind::text as kind from x`;"],
    ['an integer', 'sql<{ n: number | null }>`select sum(seats_used)::int as n from serials`;'],
    ['a large one', 'sql<{ n: number }>`select sum(seats_used)::bigint as n from serials`;'],
    ['a count', 'interface Row { n: number }\nsql<Row>`select count(*) as n from serials`;'],
    ['a fraction', 'sql<{ n: number }>`select (n / 2)::float8 as n from x`;'],
    ['a decimal', 'sql<{ n: string }>`select (n / 2)::numeric(14, 2) as n from x`;'],
    ['a day', 'sql<{ day: string }>`select ${at}::date as day`;'],
    ['a time', 'sql<{ at: Date | null }>`select max(at)::timestamptz as at from x`;'],
    ['yes or no', 'sql<{ b: boolean }>`select (a = 1)::boolean as b from x`;'],
    ['bytes', 'sql<{ hash: Buffer }>`select hash::bytea from x`;'],
    ['what one of two members is', 'sql<{ n: number } | { n: string }>`select n::int from x`;'],
  ])('may declare %s', (_, source) => {
    expect(castMembers(source).map(({ isWrong }) => isWrong)).toEqual([false]);
  });

  it.each([
    ['JSON', 'sql<{ list: string[] }>`select json_agg(a)::jsonb as list from x`;'],
    ['a list', 'sql<{ ids: string[] }>`select array_agg(id)::uuid[] as ids from x`;'],
    ['a type of another file', 'sql<{ n: Cents }>`select sum(n)::text as n from x`;'],
    ['what is cast within', "sql<{ n: number }>`select (n::text || 'a') as n from x`;"],
    ['what a part casts', 'sql<{ n: number }>`with t as (select 1::text as n) select t.n from t`;'],
    ['what a union makes of two', 'sql<{ n: string }>`select 1::int as n union all select 2::numeric`;'],
  ])('are not compared with %s', (_, source) => {
    expect(castMembers(source)).toEqual([]);
  });
});
