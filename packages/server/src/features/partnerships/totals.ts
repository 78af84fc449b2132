import { type Expression, type RawBuilder, sql } from 'kysely';
import { dollarsSql } from '#platform/money.ts';
import { familyIn } from './family.ts';

const dollars = (column: string) => sql.raw(dollarsSql(`coalesce(s.${column}, 0)`));

/** Columns with what a partnership has sold, after refunds. Imports were settled where they were sold: only counted. */
export const TOTALS = sql`coalesce(s.redemptions, 0)::int as total_redemptions,
  ${dollars('revenue_cents')} as total_revenue, ${dollars('commission_cents')} as total_commission`;

/**
 * What {@link TOTALS} come from, joined to a partnership `p`: with what has become part of it.
 * @param developerId as in {@link familyIn}
 */
export const sumsOf = (developerId: Expression<string>): RawBuilder<unknown> => sql`lateral (
  select sum(t.redemptions + t.imports) as redemptions,
    sum(t.revenue_cents + t.adjustment_revenue_cents) as revenue_cents,
    sum(t.commission_cents + t.adjustment_commission_cents) as commission_cents
  from partner_totals t where t.developer_id = ${developerId} and t.partnership_id = any(${familyIn('p', developerId)})) s on true`;
