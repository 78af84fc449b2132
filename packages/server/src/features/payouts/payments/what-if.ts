import { sql } from 'kysely';
import { familyIds } from '#features/partnerships';
import { notFound } from '#platform/errors.ts';
import { toCents, toDollars } from '#platform/money.ts';
import { soldIn } from '../payout-rows.ts';
import type { WhatIf, WhatIfQuery } from '../payouts.schemas.ts';
import type { PayoutsDb } from '../tables.ts';

interface Sums {
  redemptions: number;
  revenue: number;
  commission: number;
  new_revenue: number;
  new_commission: number;
}

/**
 * Computes what a reseller's last months would have brought at another commission rate or price, before refunds.
 * @throws {AppError} not_found when the partnership is not this developer's.
 */
export async function whatIf(
  db: PayoutsDb,
  developerId: string,
  partnershipId: string,
  { months, commission_rate, promo_price, product_id }: WhatIfQuery,
  now: Date,
): Promise<WhatIf> {
  const partnership = await db
    .selectFrom('partnerships')
    .select('id')
    .where('developer_id', '=', developerId)
    .where('id', '=', partnershipId)
    .executeTakeFirst();
  if (!partnership) throw notFound('Reseller');
  const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
  const family = await familyIds(db, developerId, partnershipId);
  const price = promo_price === undefined ? sql`r.final_price_cents::bigint` : sql`${toCents(promo_price)}::bigint`;
  const bps = commission_rate === undefined ? sql`r.commission_bps` : sql`${Math.round(commission_rate * 100)}::bigint`;
  // up to and including this millisecond
  const bounds = [from, new Date(now.getTime() + 1)] as const;
  // each sale at other terms, rounded as a redemption is: half a cent up
  const { rows } = await sql<Sums>`
    select count(*)::int as redemptions, coalesce(sum(r.final_price_cents), 0)::bigint as revenue,
      coalesce(sum(r.commission_cents), 0)::bigint as commission, coalesce(sum(t.price), 0)::bigint as new_revenue,
      coalesce(sum(div(t.price * ${bps} + 5000, 10000)), 0)::bigint as new_commission
    from redemptions r cross join lateral (select ${price} as price) t
    where r.developer_id = ${developerId} and r.partnership_id = any(${family}::uuid[]) and ${soldIn('r', bounds)}
      ${product_id ? sql`and r.product_id = ${product_id}` : sql``}`.execute(db);
  const { redemptions, revenue, commission, new_revenue, new_commission } = rows[0] as Sums;
  const owed = revenue - commission;
  const newOwed = new_revenue - new_commission;
  return {
    from,
    to: now,
    redemptions,
    actual: { revenue: toDollars(revenue), commission: toDollars(commission), owed: toDollars(owed) },
    what_if: { revenue: toDollars(new_revenue), commission: toDollars(new_commission), owed: toDollars(newOwed) },
    difference: toDollars(newOwed - owed),
    break_even_redemptions: newOwed > 0 ? Math.ceil((owed * redemptions) / newOwed) : null,
  };
}
