import { type Expression, type SqlBool, sql, type Updateable } from 'kysely';
import { nameOf } from '#features/accounts';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvLine } from '#platform/csv/write.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { folded, likeFolded } from '#platform/db/statements/like.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Columns, Tables } from '#platform/db/tables.ts';
import { joinShared, ownJoin } from '#platform/db/tenant.ts';
import { plainDollarsSql } from '#platform/money.ts';
import { type Export, innerBreaks } from '#platform/spool/exports.ts';
import { familyIds } from './family.ts';
import type { Happening, PartnershipStatus, Reseller } from './partnerships.schemas.ts';
import { type PartnershipsHandle, tables } from './tables.ts';
import { sumsOf, TOTALS } from './totals.ts';

const MOST_HISTORY = 200;

/** How many products a partnership `p` has fewer serials left of than it should. */
const lowProducts = (developerId: string) => sql`case when p.low_stock_threshold is null then 0 else (
  select count(*) from partner_low_stock l ${ownJoin('products as g', 'g.id', 'l.product_id')}
  where l.developer_id = ${developerId} and l.partnership_id = p.id and g.deleted_at is null)::int end`;

/** Columns of a {@link Reseller}, which is a partnership `p` with its account `u` and its sums `s`. */
const columns = (developerId: string) => sql`
  p.id, p.name, case when p.merged_into is null then coalesce(u.company_name, p.name) else p.name end as company_name,
  u.logo_url, u.first_name, u.last_name, u.email, u.website_url as website, u.business_address, u.tax_id,
  p.commission_bps / 100.0::float8 as commission_rate, p.status,
  case when p.status not in ('named', 'merged') then coalesce(p.connected_at, p.created_at) end as since, p.ended_at,
  p.merged_into, p.low_stock_threshold, ${lowProducts(developerId)} as low_stock_products, ${TOTALS}`;

/** Partnerships `p` with their accounts `u`. */
const PARTNERSHIPS = sql`partnerships p left join users u on u.id = p.reseller_id and u.deleted_at is null`;

const withSums = (developerId: string) => sql`${PARTNERSHIPS} left join ${sumsOf({ developerId })}`;

export interface ResellerFilter {
  status?: PartnershipStatus | undefined;
  search?: string | undefined;
}

/** Conditions of a search and a status on a developer's partnerships `p` with accounts `u`. */
function chosen(developerId: string, { status, search }: ResellerFilter): Expression<SqlBool> {
  const conditions = [
    sql`p.developer_id = ${developerId}`,
    inList('p.created_at'),
    status === undefined ? sql`p.status not in ('ended', 'merged')` : sql`p.status = ${status}`,
    ...(search ? [named(developerId, likeFolded(search))] : []),
  ];
  return sql`${sql.join(conditions, sql` and `)}`;
}

/** A reseller is also found by the names of those that have become part of it. */
function named(developerId: string, like: string) {
  const matches = (column: string) => sql`${sql.raw(folded(column))} like ${like}`;
  return sql`(${matches('p.name_key')} or ${matches('u.company_name')} or exists (
    select 1 from partnerships m where m.developer_id = ${developerId} and m.merged_into = p.id and ${matches('m.name_key')}))`;
}

/** A page of a developer's resellers by name. @param after where the page before ended: the `sort_key` and the id. */
export async function listResellers(
  handle: PartnershipsHandle,
  developerId: string,
  filter: ResellerFilter,
  { after, limit, count }: { after: { name: string; id: string } | null; limit: number; count: boolean },
): Promise<{ rows: (Reseller & { sort_key: string })[]; total: number | null }> {
  const fit = chosen(developerId, filter);
  const further = after ? sql`and (p.name_key, p.id) > (${after.name}::text, ${after.id}::uuid)` : sql``;
  // the page is chosen first, so that only its rows are added up
  const page = sql<Reseller & { sort_key: string }>`select p.name_key as sort_key, ${columns(developerId)}
    from ${withSums(developerId)} where p.developer_id = ${developerId} and p.id = any(array(
      select p.id from ${PARTNERSHIPS} where ${fit} ${further} order by p.name_key, p.id limit ${limit}))
    order by p.name_key, p.id`;
  const { rows } = await page.execute(handle);
  if (!count) return { rows, total: null };
  const counted = await sql<{ n: number }>`select count(*)::int as n from ${PARTNERSHIPS} where ${fit}`.execute(handle);
  return { rows, total: counted.rows[0]?.n ?? 0 };
}

const written = (column: string) => innerBreaks(csvSafe(column));

const csvColumns = (timeZone: string) => ({
  Id: 'r.id',
  Company: written('r.company_name'),
  Name: written('r.name'),
  First: written('r.first_name'),
  Last: written('r.last_name'),
  Email: written('r.email'),
  Website: written('r.website'),
  'Business Address': written('r.business_address'),
  'Tax Id': written('r.tax_id'),
  Status: 'r.status',
  [`Since (${timeZone})`]: csvMoment('r.since', timeZone, 's'),
  [`Ended (${timeZone})`]: csvMoment('r.ended_at', timeZone, 's'),
  'Merged Into': 'r.merged_into',
  'Commission %': 'r.commission_rate',
  Redemptions: 'r.total_redemptions',
  Revenue: plainDollarsSql('r.total_revenue'),
  Commission: plainDollarsSql('r.total_commission'),
  'Low Stock Below': 'r.low_stock_threshold',
  'Low Products': 'r.low_stock_products',
});

/** All of a developer's resellers that fit, by name. */
export function resellersExport(developerId: string, filter: ResellerFilter, timeZone: string): Export {
  const cells = csvColumns(timeZone);
  return {
    query: tables.text(sql`select ${sql.raw(Object.values(cells).join(', '))} from (
      select ${columns(developerId)} from ${withSums(developerId)} where ${chosen(developerId, filter)}
      order by p.name_key) r`),
    feature: tables.feature,
    format: 'csv',
    header: csvLine(Object.keys(cells)),
    lineEnd: '\r\n',
    timeZone,
  };
}

export async function findReseller(
  handle: PartnershipsHandle,
  developerId: string,
  id: string,
): Promise<Reseller | undefined> {
  const { rows } = await sql<Reseller>`select ${columns(developerId)} from ${withSums(developerId)}
    where p.developer_id = ${developerId} and p.id = ${id}`.execute(handle);
  return rows[0];
}

/** A partnership with what emails about it need. */
export interface Partner
  extends Columns<'partnerships', 'id' | 'status' | 'commission_bps' | 'low_stock_threshold' | 'reseller_id'> {
  /** Null when there is no account, or it was deleted. */
  reseller_email: string | null;
  developer_name: string;
  developer_email: string;
}

const partner = (developerId: string, id: string) => sql<Partner>`
  select p.id, p.status, p.commission_bps, p.low_stock_threshold, p.reseller_id, r.email as reseller_email,
    ${nameOf('d')} as developer_name, d.email as developer_email
  from partnerships p join users d on d.id = p.developer_id
    left join users r on r.id = p.reseller_id and r.deleted_at is null
  where p.id = ${id} and p.developer_id = ${developerId}`;

export async function findPartner(
  handle: PartnershipsHandle,
  developerId: string,
  id: string,
): Promise<Partner | undefined> {
  const { rows } = await partner(developerId, id).execute(handle);
  return rows[0];
}

/** The same, which nobody else changes until the transaction ends. Redemptions may reference it meanwhile. */
export async function lockPartner(
  tx: PartnershipsHandle,
  developerId: string,
  id: string,
): Promise<Partner | undefined> {
  const { rows } = await sql<Partner>`${partner(developerId, id)} for no key update of p`.execute(tx);
  return rows[0];
}

export async function changePartnership(
  tx: PartnershipsHandle,
  developerId: string,
  id: string,
  changes: Updateable<Tables['partnerships']>,
): Promise<void> {
  await tx
    .updateTable('partnerships')
    .set(changes)
    .where('id', '=', id)
    .where('developer_id', '=', developerId)
    .execute();
}

/** Undefined when there is no account, or it was deleted. */
export async function resellerAddress(
  handle: PartnershipsHandle,
  developerId: string,
  id: string,
): Promise<string | undefined> {
  const reseller = await handle
    .selectFrom('partnerships as p')
    .$call(joinShared('users as r', 'r.id', 'p.reseller_id'))
    .select('r.email')
    .where('p.id', '=', id)
    .where('p.developer_id', '=', developerId)
    .where('r.deleted_at', 'is', null)
    .executeTakeFirst();
  return reseller?.email;
}

/** The history of a partnership, newest first, with the history of partnerships that were merged into it. */
export async function historyOf(
  handle: PartnershipsHandle,
  developerId: string,
  partnershipId: string,
): Promise<{ history: Happening[]; history_total: number }> {
  const family = await familyIds(handle, developerId, partnershipId);
  const { rows } = await sql<Happening & { total: number }>`
    select e.id, e.kind, case when e.actor_id = e.developer_id then 'developer' else 'reseller' end as by,
      case when e.partnership_id <> ${partnershipId} then p.name end as reseller_name,
      (e.rate->>'to')::float8 / 100 as commission_rate, (e.rate->>'from')::float8 / 100 as commission_rate_before,
      e.happened_at, count(*) over ()::int as total
    from partnership_events e ${ownJoin('partnerships as p', 'p.id', 'e.partnership_id')}
    where e.developer_id = ${developerId} and e.partnership_id = any(${family}::uuid[])
    order by e.happened_at desc, e.id desc limit ${sql.lit(MOST_HISTORY)}`.execute(handle);
  return { history: rows.map(({ total, ...entry }) => entry), history_total: rows[0]?.total ?? 0 };
}
