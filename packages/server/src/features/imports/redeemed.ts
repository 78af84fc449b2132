import { csvLine } from '../../platform/csv/write.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Random } from '../../platform/random.ts';
import type { Partnerships } from '../partnerships/index.ts';
import { recordAll } from '../redemption/index.ts';
import { serialKey } from '../serials/index.ts';
import * as c from './cells.ts';
import type { Dates } from './dates.ts';
import { copyLine, type ImportPlan } from './plan.ts';
import type { ProductsByName } from './products-by-name.ts';

interface Ground {
  developerId: string;
  now: Date;
  random: Random;
  products: ProductsByName;
  partnerships: Partnerships;
  dates: Dates;
}

const columns = [
  'Serial',
  'Product',
  'First Name',
  'Last Name',
  'Email',
  'Total Price',
  'Purchase Date',
  'Downloads',
  'Revoked',
  'Reseller',
  'Country',
];

export const redeemedDemo = [
  columns,
  [
    'AB12-CD34-EF56-GH78',
    'Your Product',
    'Nina',
    'Simone',
    'nina@example.com',
    '49.00',
    '2026-05-01',
    1,
    'No',
    null,
    'US',
  ],
  [
    'AB12-CD34-EF56-GH79',
    'Your Product',
    'Django',
    'R.',
    'dj@example.com',
    '29.00',
    '2026-06-12',
    0,
    'No',
    'Plugin Shop',
    'FR',
  ],
]
  .map(csvLine)
  .join('');

const MAX_RESELLERS = 1000;

/**
 * Serials that were redeemed elsewhere, with their owners. They enter the ledger with their own dates and prices, are
 * never billed, and earn no commission: what was earned was settled where they were sold.
 */
export function redeemedImport({ developerId, now, random, products, partnerships, dates }: Ground): ImportPlan {
  const resellers = new Set<string>();
  return {
    required: ['Serial', 'Product', 'Email'],
    stage: `create temp table staged (
      line int, id uuid, ledger_id uuid, new_customer_id uuid, code text, code_key text, product_id uuid, email text, email_key text,
      first_name text, last_name text, price_cents int, redeemed_at timestamptz, downloads smallint, revoked boolean,
      reseller text, country text) on commit drop`,
    copy: 'copy staged from stdin',
    nameOf: (table, record) => table.cell(record, 'Serial'),
    row(table, record) {
      const cell = (column: string) => table.cell(record, column);
      const code = c.code(cell('Serial'));
      const key = serialKey(code);
      if (key === '') throw new c.CellError('The serial holds nothing but dashes and spaces.');
      const product = products.find(cell('Product'));
      const email = c.email(cell('Email'));
      const bought = dates.read(cell('Purchase Date'), 'Purchase Date', 'start') ?? now;
      if (bought > now) throw new c.CellError('Purchase Date is in the future.');
      const reseller = c.line(cell('Reseller'), 'Reseller', 200)?.normalize('NFC') ?? null;
      if (reseller && !resellers.has(reseller)) {
        if (resellers.size >= MAX_RESELLERS)
          throw new c.CellError(`The file names more than ${MAX_RESELLERS} resellers.`);
        resellers.add(reseller);
      }
      return copyLine([
        record.line,
        random.id(),
        random.id(),
        random.id(),
        code,
        key,
        product.id,
        email,
        email.toLowerCase(),
        c.line(cell('First Name'), 'First Name', 100),
        c.line(cell('Last Name'), 'Last Name', 100),
        c.cents(cell('Total Price'), 'Total Price', table.decimalComma) ?? product.cents ?? 0,
        bought,
        c.downloads(cell('Downloads')),
        c.flag(cell('Revoked'), 'Revoked'),
        reseller,
        c.country(cell('Country')),
      ]);
    },
    async settle(sql, reject) {
      let known = 0;
      for (const row of await sql.query<Clash>(CLASHES, [developerId])) {
        if (row.same) known += 1;
        else await reject({ line: row.line, what: row.code, reason: reasonFor(row) });
      }
      for (const row of await sql.query<{ line: number; code: string }>(TWICE)) {
        await reject({ line: row.line, what: row.code, reason: 'This serial stands in the file more than once.' });
      }
      await stageResellers(sql, [...resellers], (name) => partnerships.named(sql, developerId, name));
      await sql.query(CUSTOMERS, [developerId]);
      const groups = await sql.query<{ product_id: string; partnership_id: string | null; n: number }>(
        `select s.product_id, r.id as partnership_id, count(*)::int as n from staged s left join staged_resellers r on r.name = s.reseller
         group by 1, 2`,
      );
      for (const { product_id, partnership_id, n } of groups) {
        const batchId = random.id();
        await sql.query(
          `insert into batches (id, developer_id, product_id, partnership_id, origin, quantity, created_at)
           values ($1, $2, $3, $4, 'import', $5, $6)`,
          [batchId, developerId, product_id, partnership_id, n, now],
        );
        await sql.query(SERIALS, [developerId, batchId, product_id, partnership_id, now]);
      }
      return { added: await recordAll(sql, developerId, ledgerRows(developerId)), known };
    },
  };
}

interface Clash {
  line: number;
  code: string;
  same: boolean;
  redeemed: boolean;
}

function reasonFor({ redeemed }: Clash): string {
  return redeemed
    ? 'This serial exists already, and belongs to another customer or product.'
    : 'This serial exists already and is not redeemed.';
}

async function stageResellers(sql: Sql, names: string[], idOf: (name: string) => Promise<string>): Promise<void> {
  await sql.query('create temp table staged_resellers (name text primary key, id uuid) on commit drop');
  for (const name of names.sort()) {
    const used = await sql.query('select 1 from staged where reseller = $1 limit 1', [name]);
    if (used.length === 0) continue;
    await sql.query('insert into staged_resellers values ($1, $2)', [name, await idOf(name)]);
  }
}

const CLASHES = `
  with clash as (
    delete from staged s using serials o join batches b on b.id = o.batch_id left join customers c on c.id = o.customer_id
    where o.code_key = s.code_key and o.developer_id = $1
    returning s.line, s.code, o.redeemed_at is not null as redeemed,
      o.redeemed_at is not null and c.email_key = s.email_key and b.product_id = s.product_id as same
  ) select line, code, redeemed, coalesce(same, false) as same from clash order by line`;

const TWICE = `
  with ranked as (select id, row_number() over (partition by code_key order by line) as n from staged),
    gone as (delete from staged s using ranked r where r.id = s.id and r.n > 1 returning s.line, s.code)
  select line, code from gone order by line`;

// in the order of their addresses, so that two imports at once wait for each other and not forever
const CUSTOMERS = `
  insert into customers as c (id, developer_id, email, email_key, first_name, last_name, created_at)
  select distinct on (email_key) new_customer_id, $1::uuid, email, email_key, first_name, last_name, redeemed_at
  from staged order by email_key, redeemed_at
  on conflict (developer_id, email_key) do update set
    first_name = coalesce(c.first_name, excluded.first_name), last_name = coalesce(c.last_name, excluded.last_name)
  where c.first_name is null or c.last_name is null`;

const SERIALS = `
  insert into serials (id, developer_id, batch_id, code, code_key, customer_id, redeemed_at, revoked_at, download_count)
  select s.id, $1, $2, s.code, s.code_key, c.id, s.redeemed_at, case when s.revoked then $5::timestamptz end, s.downloads
  from staged s join customers c on c.developer_id = $1 and c.email_key = s.email_key
    left join staged_resellers r on r.name = s.reseller
  where s.product_id = $3 and r.id is not distinct from $4`;

const ledgerRows = (developerId: string) => `(
  select s.ledger_id as id, '${developerId}'::uuid as developer_id, s.id as serial_id, s.product_id, r.id as partnership_id,
    c.id as customer_id, s.redeemed_at, 'import' as source, s.price_cents as final_price_cents, 0 as commission_bps,
    0 as commission_cents, s.country
  from staged s join customers c on c.developer_id = '${developerId}' and c.email_key = s.email_key
    left join staged_resellers r on r.name = s.reseller)`;
