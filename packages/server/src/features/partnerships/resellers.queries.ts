import type { Sql } from '../../platform/db/database.ts';
import { escapeLike } from '../../platform/db/like.ts';
import { listOf } from '../../platform/db/list-index.ts';
import { nameKey } from '../../platform/name-key.ts';
import { familyIds } from './family.ts';
import type { Happening, ListResellersQuery, Reseller } from './partnerships.schemas.ts';
import { SUMS, TOTALS } from './totals.ts';

const MOST_SHOWN = 1000;
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

/** A developer's resellers by name, at most 1000. */
export function listResellers(
  sql: Sql,
  developerId: string,
  { status, search }: Partial<ListResellersQuery>,
): Promise<Reseller[]> {
  const [key, like] = search ? [`%${escapeLike(nameKey(search))}%`, `%${escapeLike(search)}%`] : [null, null];
  return sql.query<Reseller>(
    `${RESELLERS} and ${listOf('p')} and case when $2::text is null then p.status not in ('ended', 'merged') else p.status = $2 end
       and ($3::text is null or p.name_key like $3 or u.company_name ilike $4 or exists (
         select 1 from partnerships m where m.developer_id = p.developer_id and m.merged_into = p.id and m.name_key like $3))
     order by p.name_key limit ${MOST_SHOWN}`,
    [developerId, status ?? null, key, like],
  );
}

export async function findReseller(sql: Sql, developerId: string, id: string): Promise<Reseller | undefined> {
  return (await sql.query<Reseller>(`${RESELLERS} and p.id = $2`, [developerId, id]))[0];
}

/** What happened between the two, the newest first, with the history of what has become part of their partnership. */
export async function historyOf(sql: Sql, developerId: string, partnershipId: string): Promise<Happening[]> {
  return sql.query<Happening>(
    `select e.id, e.kind, case when e.actor_id = e.developer_id then 'developer' else 'reseller' end as by,
       case when e.partnership_id <> $3 then p.name end as reseller_name,
       (e.rate->>'to')::float8 / 100 as commission_rate, (e.rate->>'from')::float8 / 100 as commission_rate_before,
       e.happened_at
     from partnership_events e join partnerships p on (p.developer_id, p.id) = (e.developer_id, e.partnership_id)
     where e.developer_id = $1 and e.partnership_id = any($2)
     order by e.happened_at desc, e.id desc limit ${MOST_HISTORY}`,
    [developerId, await familyIds(sql, developerId, partnershipId), partnershipId],
  );
}
