import pg from 'pg';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvLine } from '#platform/csv/write.ts';
import type { Sql } from '#platform/db/database.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { folded, likeFolded } from '#platform/db/statements/like.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { type Export, innerBreaks } from '#platform/spool/exports.ts';
import { familyIds } from './family.ts';
import type { Happening, PartnershipStatus, Reseller } from './partnerships.schemas.ts';
import { SUMS, TOTALS } from './totals.ts';

const MOST_HISTORY = 200;

const RESELLERS = `
  select p.id, p.name, case when p.merged_into is null then coalesce(u.company_name, p.name) else p.name end as company_name, u.logo_url, u.first_name, u.last_name,
    u.email, u.website_url as website, u.business_address, u.tax_id, p.commission_bps / 100.0::float8 as commission_rate,
    p.status, case when p.status not in ('named', 'merged') then coalesce(p.connected_at, p.created_at) end as since, p.ended_at, p.merged_into,
    p.low_stock_threshold, case when p.low_stock_threshold is null then 0 else (
      select count(*) from partner_low_stock l join products g on (g.developer_id, g.id) = (l.developer_id, l.product_id)
      where (l.developer_id, l.partnership_id) = (p.developer_id, p.id) and g.deleted_at is null)::int end as low_stock_products, ${TOTALS}
  from partnerships p left join users u on u.id = p.reseller_id and u.deleted_at is null
    left join ${SUMS}
  where p.developer_id = $1`;

/** What a search and a state choose among partnerships `p` with accounts `u`, as SQL with these values. */
const chosen = ({ status, like }: { status: string; like: string }) => `${listOf('p')}
  and case when ${status}::text is null then p.status not in ('ended', 'merged') else p.status = ${status} end
  and (${like}::text is null or ${folded('p.name_key')} like ${like} or ${folded('u.company_name')} like ${like} or exists (
    select 1 from partnerships m where m.developer_id = p.developer_id and m.merged_into = p.id and ${folded('m.name_key')} like ${like}))`;

const patternOf = (search: string | undefined) => (search ? likeFolded(search) : null);

export interface ResellerFilter {
  status?: PartnershipStatus | undefined;
  search?: string | undefined;
}

/** A page of a developer's resellers by name. @param after where the page before ended: the `sort_key` and the id. */
export async function listResellers(
  sql: Sql,
  developerId: string,
  { status, search }: ResellerFilter,
  { after, limit }: { after: { name: string; id: string } | null; limit: number },
): Promise<{ rows: (Reseller & { sort_key: string })[]; total: number }> {
  const values = [developerId, status ?? null, patternOf(search)];
  const matches = `from partnerships p left join users u on u.id = p.reseller_id and u.deleted_at is null
    where p.developer_id = $1 and ${chosen({ status: '$2', like: '$3' })}`;
  // the page is chosen first, so that only its rows are added up
  const rows = await sql.query<Reseller & { sort_key: string }>(
    `${RESELLERS.replace('select ', 'select p.name_key as sort_key, ')} and p.id = any(array(
       select p.id ${matches} and ($4::text is null or (p.name_key, p.id) > ($4, $5::uuid)) order by p.name_key, p.id limit $6)) order by p.name_key, p.id`,
    [...values, after?.name ?? null, after?.id ?? null, limit],
  );
  const [counted] = await sql.query<{ n: number }>(`select count(*)::int as n ${matches}`, values);
  return { rows, total: counted?.n ?? 0 };
}

const written = (column: string) => innerBreaks(csvSafe(column));
const dollars = (column: string) => `${column}::numeric(14, 2)`;

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
  Revenue: dollars('r.total_revenue'),
  Commission: dollars('r.total_commission'),
  'Low Stock Below': 'r.low_stock_threshold',
  'Low Products': 'r.low_stock_products',
});

/** All of a developer's resellers that fit, by name. */
export function resellersExport(developerId: string, { status, search }: ResellerFilter, timeZone: string): Export {
  const columns = csvColumns(timeZone);
  // COPY takes no parameters
  const text = (value: string | null | undefined) => (value == null ? 'null' : pg.escapeLiteral(value));
  const like = text(patternOf(search));
  const rows = RESELLERS.replace('$1', `${text(developerId)}::uuid`);
  return {
    query: `select ${Object.values(columns).join(', ')} from (
      ${rows} and ${chosen({ status: text(status), like })} order by p.name_key) r`,
    format: 'csv',
    header: csvLine(Object.keys(columns)),
    lineEnd: '\r\n',
    timeZone,
  };
}

export async function findReseller(sql: Sql, developerId: string, id: string): Promise<Reseller | undefined> {
  return (await sql.query<Reseller>(`${RESELLERS} and p.id = $2`, [developerId, id]))[0];
}

/** What happened between the two, the newest first, with the history of what has become part of their partnership. */
export async function historyOf(
  sql: Sql,
  developerId: string,
  partnershipId: string,
): Promise<{ history: Happening[]; history_total: number }> {
  const rows = await sql.query<Happening & { total: number }>(
    `select e.id, e.kind, case when e.actor_id = e.developer_id then 'developer' else 'reseller' end as by,
       case when e.partnership_id <> $3 then p.name end as reseller_name,
       (e.rate->>'to')::float8 / 100 as commission_rate, (e.rate->>'from')::float8 / 100 as commission_rate_before,
       e.happened_at, count(*) over ()::int as total
     from partnership_events e join partnerships p on (p.developer_id, p.id) = (e.developer_id, e.partnership_id)
     where e.developer_id = $1 and e.partnership_id = any($2)
     order by e.happened_at desc, e.id desc limit ${MOST_HISTORY}`,
    [developerId, await familyIds(sql, developerId, partnershipId), partnershipId],
  );
  return { history: rows.map(({ total, ...entry }) => entry), history_total: rows[0]?.total ?? 0 };
}
