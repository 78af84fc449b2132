import { hash } from 'node:crypto';
import { upsertCustomers } from '#features/customers';
import type { Partnerships } from '#features/partnerships';
import { recordAll } from '#features/redemption';
import { addBatches, addSerials, redeemAll, serialKey } from '#features/serials';
import { csvLine } from '#platform/csv/write.ts';
import type { Sql } from '#platform/db/database.ts';
import { emailKey } from '#platform/text/email-address.ts';
import * as c from './cells.ts';
import { copyLine, type ImportContext, type Importer } from './importer.ts';
import type { ProductsByName } from './products-by-name.ts';
import {
  countStaged,
  dropKnown,
  fill,
  findExisting,
  forgetPlans,
  lockProducts,
  refuseOvertaken,
  rejectExisting,
  rejectRepeated,
  stageBatches,
} from './staging.ts';

interface RedeemedContext extends ImportContext {
  products: ProductsByName;
  partnerships: Partnerships;
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
 * never billed, and earn no commission: commissions were settled where they were sold.
 */
export function redeemedImport({ developerId, now, random, products, partnerships, dates }: RedeemedContext): Importer {
  const resellers = new Set<string>();
  return {
    required: ['Serial', 'Product', 'Email'],
    stage: `create temp table staged (
      line int, id uuid, ledger_id uuid, new_customer_id uuid, code text, code_key text collate "C", batch_mark uuid, product_id uuid,
      email text, email_key text collate "C", first_name text, last_name text, price_cents int, list_cents int,
      redeemed_at timestamptz, downloads smallint, revoked boolean, reseller text, country text,
      available boolean not null default false, partnership_id uuid) on commit drop`,
    copy: `copy staged (line, id, ledger_id, new_customer_id, code, code_key, batch_mark, product_id, email, email_key,
      first_name, last_name, price_cents, list_cents, redeemed_at, downloads, revoked, reseller, country) from stdin`,
    nameOf: (table, record) => table.cell(record, 'Serial'),
    row(table, record) {
      const cell = (column: string) => table.cell(record, column);
      const code = c.code(cell('Serial'));
      const key = serialKey(code);
      if (key === '') throw new c.CellError('The serial has only dashes and spaces.');
      const product = products.find(cell('Product'));
      const email = c.email(cell('Email'));
      const bought = dates.read(cell('Purchase Date'), 'Purchase Date', 'start') ?? now;
      if (bought > now) throw new c.CellError('Purchase Date is in the future.');
      const reseller = c.line(cell('Reseller'), 'Reseller', 200);
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
        hash('md5', `${product.id} ${reseller?.toLowerCase() ?? ''}`),
        product.id,
        email,
        emailKey(email),
        c.line(cell('First Name'), 'First Name', 100),
        c.line(cell('Last Name'), 'Last Name', 100),
        c.cents(cell('Total Price'), 'Total Price', table.decimalComma),
        product.cents,
        bought,
        c.downloads(cell('Downloads')),
        c.flag(cell('Revoked'), 'Revoked'),
        reseller,
        c.country(cell('Country')),
      ]);
    },
    async settle(sql) {
      await lockProducts(sql, developerId, products);
      let known = 0;
      if ((await findExisting(sql, developerId)) > 0) {
        known = await dropKnown(sql, `e.redeemed and e.same_product and e.owner = s.email_key`);
        await rejectExisting(sql, 'e.redeemed', TAKEN);
        const reason = `'This serial already exists, for the product "' || e.product_name || '".'`;
        await rejectExisting(sql, 'not e.same_product', reason);
      }
      await rejectRepeated(sql);
      await stageResellers(sql, async (name) => (await partnerships.findOrCreate(sql, developerId, name)).id);
      await sql.query(`create temp table staged_customers (${STAGED_CUSTOMERS}) on commit drop`);
      await sql.query(CUSTOMERS, [developerId]);
      await sql.query('analyze staged_customers');
      await takeAvailable(sql, developerId);
      await stageBatches(sql, random, 'not available');
      await addBatches(sql, developerId, now, BATCHES);
      await forgetPlans(sql);
      const made = await addSerials(sql, SERIALS, [developerId, now]);
      refuseOvertaken(made, await countStaged(sql, 'not available'));
      await redeemAll(sql, AVAILABLE, [now]);
      await forgetPlans(sql);
      return { added: await recordAll(sql, developerId, LEDGER_ROWS), known };
    },
  };
}

const TAKEN = `'This serial already exists and belongs to another customer or product.'`;

async function stageResellers(sql: Sql, idOf: (name: string) => Promise<string>): Promise<void> {
  const named = await sql.query<{ name: string }>(
    'select distinct reseller as name from staged where reseller is not null order by 1',
  );
  const ids: string[] = [];
  for (const { name } of named) ids.push(await idOf(name));
  const rows = 'select * from unnest($1::text[], $2::uuid[])';
  await fill(sql, 'staged_resellers', 'name text primary key, id uuid', rows, [named.map(({ name }) => name), ids]);
}

/**
 * Takes over existing serials that are open: their lines get the serial's id and code as it is shown, and the batch's price and reseller where
 * the line has none. From here on nobody else can redeem or delete them.
 */
async function takeAvailable(sql: Sql, developerId: string): Promise<void> {
  await fill(sql, 'held', 'staged_id uuid primary key, serial_id uuid, code text, redeemed boolean', HOLD, [
    developerId,
  ]);
  // someone else redeemed it in the meantime
  await sql.query('update existing e set redeemed = true from held h where h.staged_id = e.staged_id and h.redeemed');
  await rejectExisting(sql, 'e.redeemed', TAKEN);
  await sql.query(TAKE_AVAILABLE);
}

// customers before serials, as in every redemption, so that the two cannot deadlock
const HOLD = `
  select e.staged_id, o.id, o.code, o.redeemed_at is not null
  from (select e.* from existing e join staged s on s.id = e.staged_id order by e.serial_id offset 0) e
    cross join lateral (
      select * from serials o where o.developer_id = $1 and o.id = e.serial_id limit 1 for no key update) o`;

const TAKE_AVAILABLE = `
  update staged s set available = true, id = h.serial_id, code = h.code, partnership_id = e.partnership_id,
    price_cents = coalesce(s.price_cents, e.price_cents)
  from held h join existing e on e.staged_id = h.staged_id where s.id = h.staged_id`;

const STAGED_CUSTOMERS = 'email_key text collate "C" primary key, developer_id uuid, id uuid';

// Ordered by address, so that two concurrent imports cannot deadlock. Existing customers are written unchanged, which
// finds them by their key, without depending on the plan of a search.
const CUSTOMERS = `
  with people as (
    ${upsertCustomers(
      `select distinct on (email_key) new_customer_id, $1::uuid, email, email_key, first_name, last_name, redeemed_at
       from staged order by email_key, redeemed_at`,
      'every',
    )}
    returning email_key, developer_id, id
  ) insert into staged_customers select * from people`;

const BATCHES = `
  select b.id, $1, s.product_id, r.id, 'import', b.quantity, null, null, null, null, null, null, $2
  from staged_batches b join staged s on s.line = b.first_line left join staged_resellers r on r.name = s.reseller`;

const SERIALS = `
  select s.id, $1, b.id, s.code, s.code_key, c.id, s.redeemed_at, case when s.revoked then $2::timestamptz end, s.downloads
  from staged s join staged_batches b on b.mark = s.batch_mark join staged_customers c on c.email_key = s.email_key
  where not s.available`;

const AVAILABLE = `
  select c.developer_id, s.id, c.id as customer_id, s.redeemed_at, s.downloads,
    case when s.revoked then $1::timestamptz end as revoked_at
  from staged s join staged_customers c on c.email_key = s.email_key where s.available`;

const LEDGER_ROWS = `(
  select s.ledger_id as id, c.developer_id, s.id as serial_id, s.code, s.product_id, coalesce(r.id, s.partnership_id) as partnership_id,
    c.id as customer_id, s.redeemed_at, 'import' as source, coalesce(s.price_cents, s.list_cents) as final_price_cents,
    0 as commission_bps, 0 as commission_cents, s.country
  from staged s join staged_customers c on c.email_key = s.email_key left join staged_resellers r on r.name = s.reseller)`;
