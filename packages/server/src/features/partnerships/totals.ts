import { dollarsSql } from '#platform/money.ts';
import { familyOf } from './family.ts';

/** SQL columns with what a partnership has sold, after refunds. Imports were settled where they were sold: only counted. */
export const TOTALS = `coalesce(s.redemptions, 0)::int as total_redemptions,
  ${dollarsSql('coalesce(s.revenue_cents, 0)')} as total_revenue, ${dollarsSql('coalesce(s.commission_cents, 0)')} as total_commission`;

/** What {@link TOTALS} come from, joined to a partnership `p`: with what has become part of it. */
export const SUMS = `lateral (
  select sum(t.redemptions + t.imports) as redemptions,
    sum(t.revenue_cents + t.adjustment_revenue_cents) as revenue_cents,
    sum(t.commission_cents + t.adjustment_commission_cents) as commission_cents
  from partner_totals t where t.developer_id = p.developer_id and t.partnership_id = any(${familyOf('p')})) s on true`;
