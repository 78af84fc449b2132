import { familyIds } from '#features/partnerships';
import type { Database } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';
import { toCents, toDollars } from '#platform/money.ts';
import { soldIn } from '../payout-rows.ts';
import type { WhatIf, WhatIfQuery } from '../payouts.schemas.ts';

interface Sums {
  redemptions: number;
  revenue: number;
  commission: number;
  new_revenue: number;
  new_commission: number;
}

/** Each sale at other terms, rounded as a redemption is: half a cent up. $5 a price or null, $6 basis points or null. */
const WHAT_IF = `
  select count(*)::int as redemptions, coalesce(sum(r.final_price_cents), 0)::bigint as revenue,
    coalesce(sum(r.commission_cents), 0)::bigint as commission, coalesce(sum(t.price), 0)::bigint as new_revenue,
    coalesce(sum(div(t.price * coalesce($6::bigint, r.commission_bps) + 5000, 10000)), 0)::bigint as new_commission
  from redemptions r cross join lateral (select coalesce($5::bigint, r.final_price_cents::bigint) as price) t
  where r.developer_id = $1 and r.partnership_id = any($2) and ${soldIn('r', '$3', '$4')} and ($7::uuid is null or r.product_id = $7)`;

/**
 * What a reseller's last months would have brought at another commission rate or price, before refunds.
 * @throws {AppError} not_found when the partnership is not this developer's.
 */
export async function whatIf(
  db: Database,
  developerId: string,
  partnershipId: string,
  { months, commission_rate, promo_price, product_id }: WhatIfQuery,
  now: Date,
): Promise<WhatIf> {
  const [partnership] = await db.query('select 1 as found from partnerships where developer_id = $1 and id = $2', [
    developerId,
    partnershipId,
  ]);
  if (!partnership) throw notFound('Reseller');
  const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
  const [sums] = await db.query<Sums>(WHAT_IF, [
    developerId,
    await familyIds(db, developerId, partnershipId),
    from,
    // up to and including this millisecond
    new Date(now.getTime() + 1),
    promo_price === undefined ? null : toCents(promo_price),
    commission_rate === undefined ? null : Math.round(commission_rate * 100),
    product_id ?? null,
  ]);
  const { redemptions, revenue, commission, new_revenue, new_commission } = sums as Sums;
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
