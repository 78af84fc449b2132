import { type RawBuilder, sql } from 'kysely';
import { dollarsSql } from '#platform/money.ts';
import { familyIn, inScope, type TenantScope } from './family.ts';

const dollars = (column: string) => sql.raw(dollarsSql(`coalesce(s.${column}, 0)`));

/** Columns with what a partnership has sold, after refunds. Imports were settled where they were sold: only counted. */
export const TOTALS = sql`coalesce(s.redemptions, 0)::int as total_redemptions,
  ${dollars('revenue_cents')} as total_revenue, ${dollars('commission_cents')} as total_commission`;

/**
 * The sums behind {@link TOTALS}, joined to a partnership `p`, with those of partnerships that were merged into it.
 */
export const sumsOf = (scope: TenantScope): RawBuilder<unknown> => sql`lateral (
  select sum(t.redemptions + t.imports) as redemptions,
    sum(t.revenue_cents + t.adjustment_revenue_cents) as revenue_cents,
    sum(t.commission_cents + t.adjustment_commission_cents) as commission_cents
  from partner_totals t where ${inScope('t', 'p', scope)} and t.partnership_id = any(${familyIn('p', scope)})) s on true`;
