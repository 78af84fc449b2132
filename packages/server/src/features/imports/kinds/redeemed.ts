import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { addCustomersInto } from '#features/customers';
import { seatImported } from '#features/licensing';
import type { Partnerships } from '#features/partnerships';
import { recordAll } from '#features/redemption';
import { addBatches, addSerials, redeemAll, serialKey } from '#features/serials';
import { csvLine } from '#platform/csv/write.ts';
import type { Cents } from '#platform/money.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { EndsAnswer } from '../assistant/plan.ts';
import type { Column } from '../columns/fields.ts';
import { copyLine, type ImportContext, type Importer } from '../importer.ts';
import { Tally } from '../proof/tally.ts';
import {
  ANOTHER_PRODUCT,
  countStaged,
  dropKnown,
  filled,
  findExisting,
  forgetPlans,
  lockProducts,
  looked,
  refuseOvertaken,
  rejectExisting,
  rejectRepeated,
  SAME_PRODUCT,
  stageBatches,
} from '../staging.ts';
import type { ImportsHandle } from '../tables.ts';
import { CellError } from './cell-error.ts';
import * as c from './cells.ts';
import { showPlanner } from './planner.ts';
import type { ProductsByName } from './products-by-name.ts';

interface RedeemedContext extends ImportContext {
  products: ProductsByName;
  partnerships: Partnerships;
  /** Whether licenses that have ended are revoked. */
  ends: EndsAnswer;
  /** The account's time zone: months are those of its clock. */
  timeZone: string;
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
export function redeemedImport({
  developerId,
  importId,
  now,
  random,
  products,
  partnerships,
  ends,
  timeZone,
}: RedeemedContext): Importer {
  const resellers = new Set<string>();
  const tally = new Tally(timeZone);
  let anyMachines = false;
  return {
    stage: sql`create temp table staged (
      line int, id uuid, ledger_id uuid, new_customer_id uuid, code text, code_key text collate "C", batch_mark uuid, product_id uuid,
      email text, email_key text collate "C", first_name text, last_name text, price_cents int, list_cents int,
      redeemed_at timestamptz, downloads smallint, revoked boolean, reseller text, country text, notes text, machines json,
      available boolean not null default false, partnership_id uuid) on commit drop`,
    copy: `copy staged (line, id, ledger_id, new_customer_id, code, code_key, batch_mark, product_id, email, email_key,
      first_name, last_name, price_cents, list_cents, redeemed_at, downloads, revoked, reseller, country, notes, machines) from stdin`,
    nameOf: (table, record) => table.raw(record, 'Serial'),
    row(table, record) {
      const cell = (column: Column) => table.cell(record, column);
      const code = c.code(cell('Serial'));
      const key = serialKey(code);
      if (key === '') throw new CellError('The serial has only dashes and spaces.');
      const product = products.find(cell('Product'));
      const email = c.email(cell('Email'));
      const dated = table.moment(record, 'Purchase Date', 'start');
      const bought = dated ?? now;
      if (bought > now) throw new CellError('Purchase Date is in the future.');
      const reseller = c.line(cell('Reseller'), 'Reseller', 200);
      if (reseller && !resellers.has(reseller)) {
        if (resellers.size >= MAX_RESELLERS)
          throw new CellError(`The file names more than ${MAX_RESELLERS} resellers.`);
        resellers.add(reseller);
      }
      const end = ends === 'revoke' ? table.licenseEnd(record) : null;
      const over = end !== null && end.at <= now;
      const notes = end === null || over ? null : c.endNote(end.day);
      const machines = c.machines(cell('Machines'));
      const price = table.amount(record, 'Total Price');
      anyMachines ||= machines.length > 0;
      const line = copyLine([
        record.line,
        random.id(),
        random.id(),
        random.id(),
        code,
        key,
        hash('md5', `${product.id} ${reseller?.toLowerCase() ?? ''}${notes === null ? '' : ` ${notes}`}`),
        product.id,
        email,
        emailKey(email),
        c.line(cell('First Name'), 'First Name', 100),
        c.line(cell('Last Name'), 'Last Name', 100),
        price,
        product.cents,
        bought,
        c.downloads(cell('Downloads')),
        c.flag(cell('Revoked'), 'Revoked') || over,
        reseller,
        c.country(cell('Country')),
        notes,
        machines.length === 0 ? null : JSON.stringify(machines.map((machine_id) => ({ id: random.id(), machine_id }))),
      ]);
      tally.add(bought, price ?? product.cents, { priced: price !== null, dated: dated !== null });
      return line;
    },
    async settle(tx, isTrial) {
      await lockProducts(tx, developerId, products);
      let known = 0;
      if ((await findExisting(tx, developerId)) > 0) {
        known = await dropKnown(tx, sql`e.redeemed and ${SAME_PRODUCT} and e.owner = s.email_key`);
        await rejectExisting(tx, sql`e.redeemed`, TAKEN);
        await rejectExisting(tx, sql`not ${SAME_PRODUCT}`, ANOTHER_PRODUCT);
      }
      await rejectRepeated(tx);
      await stageResellers(tx, async (name) => (await partnerships.findOrCreate(tx, developerId, name, importId)).id);
      const lines = await countStaged(tx);
      if (isTrial) {
        await takeAvailable(tx, developerId);
        return { added: await countStaged(tx), known, cents: await centsStaged(tx), tally: tally.result };
      }
      await stageCustomers(tx, developerId, importId);
      await showPlanner(tx, developerId, 'customers', lines);
      await takeAvailable(tx, developerId);
      await stageBatches(tx, random, sql`not available`);
      await addBatches(tx, developerId, now, batchesOf(developerId, importId, now));
      await showPlanner(tx, developerId, 'batches', lines);
      await forgetPlans(tx);
      const made = await addSerials(tx, serialsOf(developerId, now));
      refuseOvertaken(made, await countStaged(tx, sql`not available`));
      await showPlanner(tx, developerId, 'serials', lines);
      await redeemAll(tx, availableOf(now));
      await forgetPlans(tx);
      const added = await recordAll(tx, developerId, ledgerRows(importId));
      if (anyMachines) await forgetPlans(tx);
      if (anyMachines) await seatImported(tx, developerId, { machines: MACHINES, now });
      return { added, known, cents: await centsStaged(tx), tally: tally.result };
    },
  };
}

async function centsStaged(tx: ImportsHandle): Promise<Cents> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(coalesce(price_cents, list_cents)), 0)::bigint as cents from staged`.execute(tx);
  return rows[0]?.cents ?? 0;
}

const TAKEN = sql`'This serial already exists and belongs to another customer or product.'`;

async function stageResellers(tx: ImportsHandle, idOf: (name: string) => Promise<string>): Promise<void> {
  const named = await sql<{ name: string }>`
    select distinct reseller as name from staged where reseller is not null order by 1`.execute(tx);
  const names = named.rows.map(({ name }) => name);
  const ids: string[] = [];
  for (const name of names) ids.push(await idOf(name));
  const rows = sql`select * from unnest(${names}::text[], ${ids}::uuid[])`;
  await filled(tx, 'staged_resellers', sql`name text primary key, id uuid`, rows);
}

/** Adds the customers of the file who are new. They are ordered by address, so that two concurrent imports cannot deadlock. */
async function stageCustomers(tx: ImportsHandle, developerId: string, importId: string): Promise<void> {
  const columns = sql`email_key text collate "C" primary key, developer_id uuid, id uuid`;
  const people = sql`
    select distinct on (email_key) new_customer_id, ${developerId}::uuid, email, email_key, first_name, last_name, redeemed_at,
      ${importId}::uuid
    from staged order by email_key, redeemed_at`;
  await sql`create temp table staged_customers (${columns}) on commit drop`.execute(tx);
  await addCustomersInto(tx, 'staged_customers', people);
  await sql`analyze staged_customers`.execute(tx);
}

/**
 * Takes over existing serials that are open: their lines get the serial's id and code as it is shown, and the batch's price and reseller where
 * the line has none. From here on nobody else can redeem or delete them.
 */
async function takeAvailable(tx: ImportsHandle, developerId: string): Promise<void> {
  // customers before serials, and serials in order, as in every redemption, so that no two of them can deadlock
  await looked(tx, 'held', sql`serial_id uuid primary key, code text, redeemed boolean`, {
    keys: sql`select e.serial_id as key from existing e join staged s on s.code_key = e.code_key`,
    find: (page) => holding(developerId, page),
  });
  // someone else redeemed it in the meantime
  await sql`update existing e set redeemed = true from held h where h.serial_id = e.serial_id and h.redeemed`.execute(
    tx,
  );
  await rejectExisting(tx, sql`e.redeemed`, TAKEN);
  await sql`
    update staged s set available = true, id = h.serial_id, code = h.code, partnership_id = e.partnership_id,
      price_cents = coalesce(s.price_cents, e.price_cents)
    from held h join existing e on e.serial_id = h.serial_id where s.code_key = e.code_key`.execute(tx);
}

const holding = (developerId: string, page: string) => sql`
  select o.id as serial_id, o.code, o.redeemed_at is not null as redeemed from serials o
  where o.developer_id = ${developerId} and o.id = any(${page}::uuid[]) order by o.id for no key update`;

/** Machines of serials that are not revoked. */
const MACHINES = sql`
  select s.id as serial_id, m.id, m.machine_id
  from staged s cross join lateral json_to_recordset(s.machines) as m (id uuid, machine_id text)
  where s.machines is not null and not s.revoked`;

const batchesOf = (developerId: string, importId: string, now: Date) => sql`
  select b.id, ${developerId}::uuid, s.product_id, r.id, 'import', b.quantity, null, null, null, null, null, s.notes, ${now}::timestamptz,
    ${importId}::uuid
  from staged_batches b join staged s on s.line = b.first_line left join staged_resellers r on r.name = s.reseller`;

const serialsOf = (developerId: string, now: Date) => sql`
  select s.id, ${developerId}::uuid, b.id, s.code, s.code_key, c.id, s.redeemed_at, case when s.revoked then ${now}::timestamptz end,
    s.downloads, null::timestamptz, null::uuid
  from staged s join staged_batches b on b.mark = s.batch_mark join staged_customers c on c.email_key = s.email_key
  where not s.available`;

const availableOf = (now: Date) => sql`
  select c.developer_id, s.id, c.id as customer_id, s.redeemed_at, s.downloads,
    case when s.revoked then ${now}::timestamptz end as revoked_at
  from staged s join staged_customers c on c.email_key = s.email_key where s.available`;

const ledgerRows = (importId: string) => sql`(
  select s.ledger_id as id, c.developer_id, s.id as serial_id, s.code, s.product_id, coalesce(r.id, s.partnership_id) as partnership_id,
    c.id as customer_id, s.redeemed_at, 'import' as source, coalesce(s.price_cents, s.list_cents) as final_price_cents,
    0 as commission_bps, 0 as commission_cents, s.country, ${importId}::uuid as import_id
  from staged s join staged_customers c on c.email_key = s.email_key left join staged_resellers r on r.name = s.reseller)`;
