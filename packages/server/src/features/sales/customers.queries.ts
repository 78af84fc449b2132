import type { Sql } from '../../platform/db/database.ts';
import { COUNT_LIMIT, type EntryFilter, type Match, type Place, partnersOf, redemptionsIn } from './entries.ts';
import type { ResellerCustomer } from './sales.schemas.ts';

/**
 * Customers are listed where their newest redemption of the partnership is: no later one of theirs is in the period.
 */
const newestOf = (filter: EntryFilter) => `not exists (
  select 1 from redemptions r where (r.developer_id, r.customer_id, r.partnership_id) = (n.developer_id, n.customer_id, n.partnership_id)
    and (r.redeemed_at, r.id) > (n.redeemed_at, n.id)${redemptionsIn('r', filter.period, null)})`;

interface Reading {
  match: Match;
  after: Place | null;
  limit: number;
}

const customersOf = (filter: EntryFilter, { match, after, limit }: Reading) => `
  select h.* from linked t cross join lateral (
    select n.developer_id, n.partnership_id, n.customer_id, n.product_id, n.id, n.redeemed_at as at from redemptions n
    where n.developer_id = t.developer_id and n.partnership_id = t.id${redemptionsIn('n', filter.period, after)}
      ${match.condition('n')} and ${newestOf(filter)}
    order by n.redeemed_at desc, n.id desc limit ${limit}) h`;

/** People who redeemed a serial that the reseller was given, by their newest redemption. */
export async function listCustomers(
  sql: Sql,
  filter: EntryFilter,
  page: { match: Match; after: Place | null; offset: number; limit: number },
): Promise<(ResellerCustomer & { redemption_id: string })[]> {
  if (page.match.nothing) return [];
  const found = customersOf(filter, { ...page, limit: page.offset + page.limit });
  return sql.query(
    `${partnersOf(filter.resellerId)}, hit as materialized (
       select * from (${found}) e order by at desc, id desc limit ${page.limit} offset ${page.offset})
     select c.id, h.id as redemption_id, c.first_name, c.last_name, nullif(c.email, '') as email, t.developer_id, t.developer_name,
       p.name as product_name, h.at as last_redeemed_at,
       (select count(*) from redemptions r
        where (r.developer_id, r.customer_id, r.partnership_id) = (h.developer_id, h.customer_id, h.partnership_id)${redemptionsIn('r', filter.period, null)})::int as redemptions
     from hit h join linked t on (t.developer_id, t.id) = (h.developer_id, h.partnership_id)
       join products p on (p.developer_id, p.id) = (h.developer_id, h.product_id)
       join customers c on (c.developer_id, c.id) = (h.developer_id, h.customer_id)
     order by h.at desc, h.id desc`,
  );
}

/** How many there are, up to one more than are counted. */
export async function countCustomers(sql: Sql, filter: EntryFilter, match: Match): Promise<number> {
  if (match.nothing) return 0;
  const found = customersOf(filter, { match, after: null, limit: COUNT_LIMIT + 1 });
  const [counted] = await sql.query<{ n: number }>(
    `${partnersOf(filter.resellerId)} select count(*)::int as n from (select 1 from (${found}) e limit ${COUNT_LIMIT + 1}) counted`,
  );
  return counted?.n ?? 0;
}
