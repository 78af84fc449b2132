import { sql } from 'kysely';
import { firstIdAt } from '#platform/db/statements/ids-at.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ownJoin } from '#platform/db/tenant.ts';
import type { AnalyticsHandle } from '../tables.ts';

/** A shop in a period, in cents. */
export interface ShopSums extends Columns<'shop_connections', 'kind'> {
  shop_id: string;
  shop: string;
  orders: number;
  paid_cents: number;
  unknown: number;
  redemptions: number;
  revenue_cents: number;
  refunded_cents: number;
  disputed_cents: number;
}

interface Moments {
  from: Date;
  to: Date;
}

/**
 * The result of each shop in a period: orders that were first heard of in it and are paid, and what the ledger has of their serials, each
 * entry on its own day. Tests count nowhere.
 *
 * A reinstatement is subtracted from disputes, as far as any is still open then, and from refunds for the rest. It
 * does not name what it undoes, so it counts against everything before it.
 */
export async function shopSums(
  handle: AnalyticsHandle,
  developerId: string,
  { from, to }: Moments,
): Promise<ShopSums[]> {
  const past = firstIdAt(new Date(to.getTime() + 1));
  const { rows } = await sql<ShopSums>`
    with sold as (
      select o.connection_id as shop_id, count(*)::int as orders, coalesce(sum(o.usd_cents), 0)::bigint as paid_cents,
        (count(*) filter (where o.usd_cents is null))::int as unknown
      from shop_orders o
      where o.developer_id = ${developerId} and ${inList('o.received_at')} and o.id >= ${firstIdAt(from)} and o.id < ${past}
        and o.paid_at is not null and not o.is_test
      group by 1
    ), summed as (
      select a.id, a.redemption_id, a.kind, a.revenue_cents, a.created_at,
        sum(case a.kind when 'chargeback' then -a.revenue_cents when 'reinstatement' then -a.revenue_cents else 0 end) over sofar as disputes
      from ledger_adjustments a
      where a.developer_id = ${developerId} and a.redemption_id in (
        select i.redemption_id from ledger_adjustments i
        where i.developer_id = ${developerId} and ${inList('i.created_at')} and i.created_at >= ${from} and i.created_at <= ${to})
      window sofar as (partition by a.redemption_id order by a.created_at, a.id)
    ), lost as (
      select s.*, s.disputes - least(0, min(s.disputes) over (partition by s.redemption_id order by s.created_at, s.id)) as open
      from summed s
    ), adjusted as (
      select l.*, l.open - lag(l.open, 1, 0::bigint) over (partition by l.redemption_id order by l.created_at, l.id) as disputed
      from lost l
    ), entries as (
      select r.serial_id, 1 as redemptions, r.final_price_cents as revenue, 0 as refunded, 0 as disputed
      from redemptions r
      where r.developer_id = ${developerId} and ${inList('r.redeemed_at')} and r.redeemed_at >= ${from} and r.redeemed_at <= ${to}
      union all
      select r.serial_id, 0, a.revenue_cents, -a.revenue_cents - a.disputed, a.disputed
      from adjusted a join redemptions r on r.developer_id = ${developerId} and r.id = a.redemption_id
      where a.created_at >= ${from} and a.created_at <= ${to}
    ), booked as (
      select o.connection_id as shop_id, sum(e.redemptions)::int as redemptions, sum(e.revenue)::bigint as revenue_cents,
        sum(e.refunded)::bigint as refunded_cents, sum(e.disputed)::bigint as disputed_cents
      from entries e join shop_units u on u.developer_id = ${developerId} and u.serial_id = e.serial_id
        ${ownJoin('shop_orders as o', 'o.id', 'u.order_id')}
      group by 1
    )
    select c.id as shop_id, c.name as shop, c.kind, coalesce(s.orders, 0) as orders, coalesce(s.paid_cents, 0) as paid_cents,
      coalesce(s.unknown, 0) as unknown, coalesce(b.redemptions, 0) as redemptions, coalesce(b.revenue_cents, 0) as revenue_cents,
      coalesce(b.refunded_cents, 0) as refunded_cents, coalesce(b.disputed_cents, 0) as disputed_cents
    from shop_connections c left join sold s on s.shop_id = c.id left join booked b on b.shop_id = c.id
    where c.developer_id = ${developerId} and (s.shop_id is not null or b.shop_id is not null)
    order by revenue_cents desc, c.name, c.id`.execute(handle);
  return rows;
}
