import pg from 'pg';
import { accountNameOrClosed } from '#features/accounts';
import { SEEN_BY_RESELLERS } from '#features/products';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvLine } from '#platform/csv/write.ts';
import type { Sql } from '#platform/db/database.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { folded, likeFolded } from '#platform/db/statements/like.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { toDollars } from '#platform/money.ts';
import { type Export, innerBreaks } from '#platform/spool/exports.ts';
import type { PartnerDeveloper, PartnerProduct, PartnerStatus } from './partnerships.schemas.ts';
import { SUMS, TOTALS } from './totals.ts';

const MOST_PRODUCTS = 500;

const name = accountNameOrClosed('u');
/** Of a developer they no longer work with, a reseller sees the name alone. */
const open = (column: string) => `case when p.status <> 'ended' then u.${column} end`;

const DEVELOPERS = `
  select p.developer_id as id, p.id as partnership_id, ${name} as name, ${name} as company_name,
    ${open('logo_url')} as logo_url, ${open('first_name')} as first_name, ${open('last_name')} as last_name,
    ${open('email')} as email, ${open('website_url')} as website, ${open('business_address')} as business_address,
    ${open('tax_id')} as tax_id, p.commission_bps / 100.0::float8 as commission_rate, p.status,
    coalesce(p.connected_at, p.created_at) as since, p.ended_at, ${TOTALS}
  from partnerships p join users u on u.id = p.developer_id
    left join ${SUMS}
  where p.reseller_id = $1 and p.merged_into is null`;

export interface DeveloperFilter {
  status?: PartnerStatus | undefined;
  search?: string | undefined;
}

const SORT_KEY = `lower(${name})`;

const chosen = (status: string, like: string) => `
  p.reseller_id = $1 and p.merged_into is null
    and case when ${status}::text is null then p.status <> 'ended' else p.status = ${status} end
    and (${like}::text is null or ${folded(name)} like ${like})`;

const patternOf = (search: string | undefined) => (search ? likeFolded(search) : null);

type Sorted = PartnerDeveloper & { sort_key: string };

/** A page of a reseller's developers by name. @param after where the page before ended: the `sort_key` and the partnership. */
export async function listDevelopers(
  sql: Sql,
  resellerId: string,
  { status, search }: DeveloperFilter,
  { after, limit }: { after: { name: string; id: string } | null; limit: number },
): Promise<{ rows: Sorted[]; total: number }> {
  const values = [resellerId, status ?? null, patternOf(search)];
  const matches = `from partnerships p join users u on u.id = p.developer_id where ${chosen('$2', '$3')}`;
  // the page is chosen first, so that only its rows are added up
  const rows = await sql.query<Sorted>(
    `/* across tenants: a reseller works with many developers */
     ${DEVELOPERS.replace('select ', `select ${SORT_KEY} as sort_key, `)} and p.id = any(array(
       select p.id ${matches} and ($4::text is null or (${SORT_KEY}, p.id) > ($4, $5::uuid))
       order by ${SORT_KEY}, p.id limit $6)) order by ${SORT_KEY}, p.id`,
    [...values, after?.name ?? null, after?.id ?? null, limit],
  );
  const [counted] = await sql.query<{ n: number }>(
    `/* across tenants: a reseller works with many developers */ select count(*)::int as n ${matches}`,
    values,
  );
  return { rows, total: counted?.n ?? 0 };
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
  Revenue: 'd.total_revenue',
  Commission: 'd.total_commission',
});

/** All of a reseller's developers that fit, by name. */
export function developersExport(resellerId: string, { status, search }: DeveloperFilter, timeZone: string): Export {
  const columns = csvColumns(timeZone);
  // COPY takes no parameters
  const text = (value: string | null | undefined) => (value == null ? 'null' : pg.escapeLiteral(value));
  const own = (sql: string) => sql.replace('$1', `${text(resellerId)}::uuid`);
  return {
    query: `/* across tenants: a reseller works with many developers */ select ${Object.values(columns).join(', ')} from (
      ${own(DEVELOPERS)} and ${own(chosen(text(status), text(patternOf(search))))} order by ${SORT_KEY}, p.id) d`,
    format: 'csv',
    header: csvLine(Object.keys(columns)),
    lineEnd: '\r\n',
    timeZone,
  };
}

/** Undefined unless the two work together: an ended partnership looks like none. */
export async function findDeveloper(
  sql: Sql,
  resellerId: string,
  developerId: string,
): Promise<PartnerDeveloper | undefined> {
  const [found] = await sql.query<PartnerDeveloper>(`${DEVELOPERS} and p.developer_id = $2 and p.status <> 'ended'`, [
    resellerId,
    developerId,
  ]);
  return found;
}

/** What the developer offers to resellers: the first by name, and how many there are. */
export async function publishedProducts(
  sql: Sql,
  developerId: string,
): Promise<{ products: PartnerProduct[]; products_total: number }> {
  type Row = Omit<PartnerProduct, 'price' | 'sale_price'> & {
    price_cents: number | null;
    sale_price_cents: number | null;
    total: number;
  };
  const rows = await sql.query<Row>(
    `select p.id, p.name, p.image_url, p.price_cents, p.sale_price_cents, count(*) over ()::int as total from products p
     where p.developer_id = $1 and ${listOf('p')} and ${SEEN_BY_RESELLERS}
     order by p.name_key limit ${MOST_PRODUCTS}`,
    [developerId],
  );
  return {
    products: rows.map(({ price_cents, sale_price_cents, total, ...product }) => ({
      ...product,
      price: toDollars(price_cents),
      sale_price: toDollars(sale_price_cents),
    })),
    products_total: rows[0]?.total ?? 0,
  };
}
