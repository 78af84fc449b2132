import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { floatMoney } from '@tonerow/test-support/float-money.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// Money is whole cents. It becomes dollars, which JSON has as floating point, at the last moment and in one place: toDollars.

const CONVERSIONS = 'packages/server/src/platform/money.ts';

/** Lines in which it may look otherwise, by a part of them, and why. */
const ALLOWED: { file: string; part: string; why: string }[] = [
  {
    file: 'packages/server/src/features/billing/usage/usage-csv.ts',
    part: 'month.avg_price_per_redemption.toFixed(3)',
    why: 'an average, in tenths of a cent, that is printed and nothing else',
  },
  {
    file: 'packages/server/src/features/shops/money.ts',
    part: 'BigInt(amount) * BigInt(each)',
    why: 'a share of a whole amount, rounded down to a whole one: no larger than the amount',
  },
  {
    file: 'packages/server/src/features/shops/connectors/fastspring.ts',
    part: 'amount.toFixed(4)',
    why: 'what the shop sends is a number with decimals: it becomes a decimal text, and that whole units',
  },
  {
    file: 'packages/server/src/features/shops/rates/rates.service.ts',
    part: 'dollar.toFixed(DIGITS)',
    why: 'a rate, which is no amount',
  },
];

const sourcesOf = (root: string) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => path.join(root, file));
const SOURCES = [...sourcesOf('packages/server/src'), ...sourcesOf('packages/sdk/src')].filter(
  (file) => file !== CONVERSIONS,
);
const found = SOURCES.flatMap((file) => floatMoney(readFileSync(file, 'utf8')).map((each) => ({ file, ...each })));

describe('sources', () => {
  it('compute with money in whole cents only', () => {
    const offenses = found.filter(
      (each) => !ALLOWED.some(({ file, part }) => each.file === file && each.what.includes(part)),
    );
    expect(offenses.map(({ file, line, what }) => `${file}:${line} ${what}`)).toEqual([]);
  });

  it('are excused only where there is something to excuse', () => {
    const needless = ALLOWED.filter(
      ({ file, part }) => !found.some((each) => each.file === file && each.what.includes(part)),
    );
    expect(needless).toEqual([]);
  });

  it.each([
    'const total = fee_cents / 100;',
    'const total = (fee_cents + overage_cents) / 100;',
    'const cents = Math.round(price * 100);',
    'const cents = 100 * row.price;',
    'const cents = amountOf(row) * 1e2;',
    'const share = revenue_cents * 0.01;',
    'const price = parseFloat(row.price);',
    'const price = Number.parseFloat(row.price);',
    'const cents = Number(row.total_cents);',
    'return `$${amount.toFixed(2)}`;',
    'return `$${(cents / 100).toFixed(2)}`;',
    'return toDollars(row.fee_cents).toFixed(2);',
    'const sum = toDollars(fee) + toDollars(overage);',
    'const sum = rest - toDollars(fee);',
    'const twice = toDollars(fee) * 2;',
    'const commission = price_cents * share / 100;',
    'query(`select sum(r.final_price_cents)::float8 / 100 as revenue from redemptions r`)',
    "query('select cast(coalesce(s.fee_cents, 0) as double precision) from statements s')",
    'const more = 1 + toDollars(a_cents);',
  ])('are refused for: %s', (source) => {
    expect(floatMoney(`function planted() {\n${source}\n}\n`)).toEqual([{ line: 2, what: source }]);
  });

  it.each([
    'const rate = commission_bps / 100;',
    'const part = Math.floor((received / size) * 100);',
    'return { total: toDollars(row.total_cents), fee: toDollars(row.fee_cents) };',
    '// fee_cents / 100 would be dollars',
    '/** Dollars: `amount.toFixed(2)`. */',
    "const head = 'Price / 100';",
    'query(`select r.final_price_cents * 0.01 as price from redemptions r`)',
    'query(`select extract(epoch from m.paid_at)::float8 as age from m`)',
    'const year = Number(text.slice(0, 4));',
  ])('may have: %s', (source) => {
    expect(floatMoney(`function planted() {\n${source}\n}\n`)).toEqual([]);
  });
});

describe('the database', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.drop());

  /** Columns of ours that are no whole numbers, and columns of cents that cannot hold them. */
  const unsound = async () =>
    (
      await db.query<{ name: string }>(
        `select c.table_name || '.' || c.column_name || ' ' || c.data_type as name
         from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
         where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and (
           c.data_type in ('double precision', 'real', 'numeric', 'money')
           or c.column_name ~ '_cents$' and c.data_type not in ('integer', 'bigint'))
         order by 1`,
      )
    ).map(({ name }) => name);

  it('has money in columns of whole numbers, and no other kind of number', async () => {
    expect(await unsound()).toEqual([]);
  });

  it('would be refused a column of another kind', async () => {
    await db.query('create table planted (price numeric(10, 2), fee_cents text, share real, sum_cents bigint)');
    expect(await unsound()).toEqual(['planted.fee_cents text', 'planted.price numeric', 'planted.share real']);
    await db.query('drop table planted');
  });
});
