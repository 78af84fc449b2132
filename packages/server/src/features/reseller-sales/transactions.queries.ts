import { type RawBuilder, sql } from 'kysely';
import { inScope } from '#features/partnerships';
import { csvExport } from '#platform/csv/csv-export.ts';
import { csvMoment } from '#platform/csv/moments.ts';
import type { Sql } from '#platform/db/database.ts';
import { COUNT_LIMIT } from '#platform/db/statements/count-limit.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ofTenants, ownJoin, ownMatch } from '#platform/db/tenant.ts';
import { plainCentsSql, toDollars } from '#platform/money.ts';
import type { Export } from '#platform/spool/exports.ts';
import { type EntryFilter, entriesOf, type Match, matchOf, type Place } from './entries.ts';
import { partnersOf, type Seller } from './partners.ts';
import type { Transaction } from './sales.schemas.ts';
import { tables } from './tables.ts';

interface Row
  extends Columns<'redemptions', 'redeemed_at' | 'product_id' | 'commission_bps'>,
    Columns<'customers', 'first_name' | 'last_name'>,
    Columns<'serials', 'code'>,
    Columns<'partnerships', 'developer_id'>,
    Columns<'batches', 'promo_price_cents'>,
    Columns<'products', 'sale_price_cents' | 'price_cents'> {
  id: string;
  kind: Transaction['kind'];
  at: Date;
  email: string | null;
  product_name: string;
  developer_name: string;
  final_price_cents: number;
  commission_cents: number;
  imported: boolean;
  reason: string | null;
  refers_to: string | null;
  refunded_cents: number;
}

/** Joins the sale of an entry `h`. */
const SALE = sql`
  ${ownJoin('redemptions as r', 'r.id', 'h.redemption_id')}
  left join ledger_adjustments a on h.adjusted and ${ownMatch('a.id', 'h.id')}
  join linked t on ${ownMatch('t.id', 'r.partnership_id')}
  ${ownJoin('products as p', 'p.id', 'r.product_id')}`;

/** The tables behind an entry `h`. */
const DETAILS = sql`${SALE}
  ${ownJoin('serials as s', 's.id', 'r.serial_id')}
  ${ownJoin('batches as b', 'b.id', 's.batch_id')}
  ${ownJoin('customers as c', 'c.id', 'r.customer_id')}`;

const AMOUNTS = sql`case when h.adjusted then a.revenue_cents else r.final_price_cents end as final_price_cents,
  case when h.adjusted then a.commission_cents else r.commission_cents end as commission_cents`;

const columns = (
  seller: Seller,
) => sql`h.id, coalesce(a.kind, 'redemption') as kind, h.at, r.redeemed_at, c.first_name, c.last_name,
  nullif(c.email, '') as email, s.code, r.product_id, p.name as product_name, t.developer_id, t.developer_name, ${AMOUNTS},
  b.promo_price_cents, p.sale_price_cents, p.price_cents, r.commission_bps, r.source = 'import' as imported, a.reason,
  a.redemption_id as refers_to,
  case when h.adjusted then 0 else coalesce((select -sum(x.revenue_cents) from ledger_adjustments x
    where ${inScope('x', 'r', seller)} and x.redemption_id = r.id), 0)::int end as refunded_cents`;

/** Redemptions and adjustments, newest first. */
export async function listTransactions(
  handle: Sql,
  filter: EntryFilter,
  page: { match: Match; after: Place | null; offset: number; limit: number },
): Promise<Transaction[]> {
  if (page.match.nothing) return [];
  const { match, after } = page;
  const entries = entriesOf({ filter, match, after, limit: page.offset + page.limit });
  const { rows } = await sql<Row>`${partnersOf(filter)}, hit as materialized (
      select * from (${entries}) e order by at desc, id desc limit ${page.limit} offset ${page.offset})
    select ${columns(filter)} from hit h ${DETAILS} where ${ofTenants('r', filter.developers)} order by h.at desc, h.id desc`.execute(
    tables.in(handle),
  );
  return rows.map(view);
}

/** How many a search finds, up to one more than are counted. */
export async function countTransactions(handle: Sql, filter: EntryFilter, match: Match): Promise<number> {
  if (match.nothing) return 0;
  const most = COUNT_LIMIT + 1;
  const { rows } = await sql<{ n: number }>`${partnersOf(filter)}
    select count(*)::int as n from (
      select 1 from (${entriesOf({ filter, match, limit: most })}) e limit ${most}) counted`.execute(tables.in(handle));
  return rows[0]?.n ?? 0;
}

const csvColumns = (timeZone: string) => ({
  [`Date (${timeZone})`]: csvMoment('e.at', timeZone, 's'),
  Kind: 'e.kind',
  Developer: csvSafe('e.developer_name'),
  Product: csvSafe('e.product_name'),
  'Batch Tag': csvSafe('e.batch_tag'),
  Serial: csvSafe('e.code'),
  'First Name': csvSafe('e.first_name'),
  'Last Name': csvSafe('e.last_name'),
  Email: csvSafe('e.email'),
  Price: plainCentsSql('e.final_price_cents'),
  'Commission %': 'e.commission_bps * 0.01',
  Commission: plainCentsSql('e.commission_cents'),
  Imported: `case when e.imported then 'yes' end`,
  Reason: csvSafe('e.reason'),
  Id: 'e.id',
  'Refers To': 'e.refers_to',
});

/** All that fit the filter, newest first. */
export async function transactionsExport(handle: Sql, filter: EntryFilter, timeZone: string): Promise<Export> {
  const match = await matchOf(handle, filter);
  const entries = entriesOf({ filter, match, limit: null });
  // sorted before times and prices become longer texts
  const select = (row: RawBuilder<unknown>) => sql`${partnersOf(filter)}, hit as materialized (${entries})
    select ${row} from (
      select h.id, h.at, coalesce(a.kind, 'redemption') as kind, t.developer_name, p.name as product_name, b.batch_tag, s.code,
        c.first_name, c.last_name, c.email, ${AMOUNTS}, r.commission_bps, r.source = 'import' as imported, a.reason,
        a.redemption_id as refers_to
      from hit h ${DETAILS} where ${ofTenants('r', filter.developers)} order by h.at desc, h.id desc offset 0) e`;
  return csvExport(tables, csvColumns(timeZone), select, { timeZone, lineEnd: '\n' });
}

function view(row: Row): Transaction {
  const { final_price_cents, promo_price_cents, sale_price_cents, price_cents, commission_cents, ...rest } = row;
  const { commission_bps, refunded_cents, ...plain } = rest;
  return {
    ...plain,
    final_price: toDollars(final_price_cents),
    promo_price: toDollars(promo_price_cents),
    sale_price: toDollars(sale_price_cents),
    price: toDollars(price_cents),
    commission_rate: commission_bps / 100,
    commission_earned: toDollars(commission_cents),
    refunded: toDollars(refunded_cents),
  };
}
