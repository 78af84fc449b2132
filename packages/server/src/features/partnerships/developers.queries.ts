import { type Expression, type SqlBool, sql } from 'kysely';
import { nameOrClosed } from '#features/accounts';
import { SEEN_BY_RESELLERS } from '#features/products';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvLine } from '#platform/csv/write.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { folded, likeFolded } from '#platform/db/statements/like.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import { ofTenants } from '#platform/db/tenant.ts';
import { plainDollarsSql, toDollars } from '#platform/money.ts';
import { type Export, innerBreaks } from '#platform/spool/exports.ts';
import type { PartnerDeveloper, PartnerProduct, PartnerStatus } from './partnerships.schemas.ts';
import { developersOf } from './reseller-developers.ts';
import { type PartnershipsHandle, tables } from './tables.ts';
import { sumsOf, TOTALS } from './totals.ts';

const MOST_PRODUCTS = 500;

const NAME = nameOrClosed('u');
const FOLDED_NAME = sql.raw(folded(tables.text(NAME)));
const SORT_KEY = sql`lower(${NAME})`;

/** A column of the developer. A reseller sees the name alone of one they no longer work with. */
const open = (column: string) => sql`case when p.status <> 'ended' then ${sql.ref(`u.${column}`)} end`;

/** Columns of a {@link PartnerDeveloper}, which is the account `u` of a partnership `p` with its sums `s`. */
const COLUMNS = sql`
  p.developer_id as id, p.id as partnership_id, ${NAME} as name, ${NAME} as company_name,
  ${open('logo_url')} as logo_url, ${open('first_name')} as first_name, ${open('last_name')} as last_name,
  ${open('email')} as email, ${open('website_url')} as website, ${open('business_address')} as business_address,
  ${open('tax_id')} as tax_id, p.commission_bps / 100.0::float8 as commission_rate, p.status,
  coalesce(p.connected_at, p.created_at) as since, p.ended_at, ${TOTALS}`;

const PARTNERSHIPS = sql`partnerships p join users u on u.id = p.developer_id`;
/** The partnerships with many developers, and their sums. */
const withSums = (developers: readonly string[]) => sql`${PARTNERSHIPS} left join ${sumsOf({ developers })}`;

export interface DeveloperFilter {
  status?: PartnerStatus | undefined;
  search?: string | undefined;
}

/** A reseller, and the developers that they sell or have sold for. */
interface Seller {
  resellerId: string;
  developers: readonly string[];
}

const ofSeller = ({ resellerId, developers }: Seller) =>
  sql`p.reseller_id = ${resellerId} and ${ofTenants('p', developers)} and p.merged_into is null`;

/** Conditions of a search and a status on a reseller's partnerships `p` with developers `u`. */
function chosen(seller: Seller, { status, search }: DeveloperFilter): Expression<SqlBool> {
  const conditions = [
    ofSeller(seller),
    status === undefined ? sql`p.status <> 'ended'` : sql`p.status = ${status}`,
    ...(search ? [sql`${FOLDED_NAME} like ${likeFolded(search)}`] : []),
  ];
  return sql`${sql.join(conditions, sql` and `)}`;
}

type Sorted = PartnerDeveloper & { sort_key: string };

/** A page of a reseller's developers by name. @param after where the page before ended: the `sort_key` and the partnership. */
export async function listDevelopers(
  handle: PartnershipsHandle,
  resellerId: string,
  filter: DeveloperFilter,
  { after, limit, count }: { after: { name: string; id: string } | null; limit: number; count: boolean },
): Promise<{ rows: Sorted[]; total: number | null }> {
  const seller = { resellerId, developers: await developersOf(handle, resellerId) };
  const fit = chosen(seller, filter);
  const further = after ? sql`and (${SORT_KEY}, p.id) > (${after.name}::text, ${after.id}::uuid)` : sql``;
  // the page is chosen first, so that only its rows are added up
  const page = sql<Sorted>`
    select ${SORT_KEY} as sort_key, ${COLUMNS} from ${withSums(seller.developers)}
    where ${ofSeller(seller)} and p.id = any(array(
      select p.id from ${PARTNERSHIPS} where ${fit} ${further} order by ${SORT_KEY}, p.id limit ${limit}))
    order by ${SORT_KEY}, p.id`;
  const { rows } = await page.execute(handle);
  if (!count) return { rows, total: null };
  const counted = await sql<{ n: number }>`
    select count(*)::int as n from ${PARTNERSHIPS} where ${fit}`.execute(handle);
  return { rows, total: counted.rows[0]?.n ?? 0 };
}

const written = (column: string) => innerBreaks(csvSafe(column));

const csvColumns = (timeZone: string) => ({
  Company: written('d.company_name'),
  First: written('d.first_name'),
  Last: written('d.last_name'),
  Email: written('d.email'),
  Website: written('d.website'),
  'Business Address': written('d.business_address'),
  'Tax ID': written('d.tax_id'),
  Status: 'd.status',
  Since: csvMoment('d.since', timeZone),
  Ended: csvMoment('d.ended_at', timeZone),
  'Commission %': 'd.commission_rate',
  Redemptions: 'd.total_redemptions',
  Revenue: plainDollarsSql('d.total_revenue'),
  Commission: plainDollarsSql('d.total_commission'),
});

/** All of a reseller's developers that fit, by name. */
export async function developersExport(
  handle: PartnershipsHandle,
  resellerId: string,
  filter: DeveloperFilter,
  timeZone: string,
): Promise<Export> {
  const seller = { resellerId, developers: await developersOf(handle, resellerId) };
  const cells = csvColumns(timeZone);
  return {
    query: tables.text(sql`
      select ${sql.raw(Object.values(cells).join(', '))} from (
        select ${COLUMNS} from ${withSums(seller.developers)} where ${chosen(seller, filter)} order by ${SORT_KEY}, p.id) d`),
    feature: tables.feature,
    format: 'csv',
    header: csvLine(Object.keys(cells)),
    lineEnd: '\r\n',
    timeZone,
  };
}

/** Undefined unless the two work together: an ended partnership looks like none. */
export async function findDeveloper(
  handle: PartnershipsHandle,
  resellerId: string,
  developerId: string,
): Promise<PartnerDeveloper | undefined> {
  const { rows } = await sql<PartnerDeveloper>`
    select ${COLUMNS} from ${PARTNERSHIPS} left join ${sumsOf({ developerId })}
    where p.developer_id = ${developerId} and p.reseller_id = ${resellerId} and p.merged_into is null
      and p.status <> 'ended'`.execute(handle);
  return rows[0];
}

/** The developer's products for resellers: the first by name, and how many there are. */
export async function publishedProducts(
  handle: PartnershipsHandle,
  developerId: string,
): Promise<{ products: PartnerProduct[]; products_total: number }> {
  const rows = await handle
    .selectFrom('products as p')
    .select(['p.id', 'p.name', 'p.image_url', 'p.price_cents', 'p.sale_price_cents'])
    .select((eb) => eb.fn.countAll<number>().over().as('total'))
    .where('p.developer_id', '=', developerId)
    .where(inList('p.created_at'))
    .where(SEEN_BY_RESELLERS)
    .orderBy('p.name_key')
    .limit(MOST_PRODUCTS)
    .execute();
  return {
    products: rows.map(({ price_cents, sale_price_cents, total, ...product }) => ({
      ...product,
      price: toDollars(price_cents),
      sale_price: toDollars(sale_price_cents),
    })),
    products_total: rows[0]?.total ?? 0,
  };
}
