import { type Expression, sql } from 'kysely';

/** A plan as it is sold. Money in cents; the quota is free redemptions per calendar month (UTC). */
export interface Plan {
  slug: 'free' | 'creator' | 'pro' | 'elite';
  name: string;
  priceCents: number;
  redemptionQuota: number;
  /** Null: no overage, redemptions stop at the quota. */
  overageCents: number | null;
}

export const plans: readonly Plan[] = [
  { slug: 'free', name: 'Starter (Free)', priceCents: 0, redemptionQuota: 50, overageCents: null },
  { slug: 'creator', name: 'Creator (Pay As You Go)', priceCents: 0, redemptionQuota: 100, overageCents: 5 },
  { slug: 'pro', name: 'Pro', priceCents: 1000, redemptionQuota: 250, overageCents: 4 },
  { slug: 'elite', name: 'Elite', priceCents: 2000, redemptionQuota: 500, overageCents: 3 },
];

/** The plan with this name, for what people typed. */
export function findPlan(slug: string): Plan | undefined {
  return plans.find((plan) => plan.slug === slug);
}

export function planOf(slug: string): Plan {
  const plan = findPlan(slug);
  if (!plan) throw new Error(`unknown plan ${slug}`);
  return plan;
}

/** The most redemptions a month may have, or null where overage is billed instead. */
export function capOf(plan: Plan): number | null {
  return plan.overageCents === null ? plan.redemptionQuota : null;
}

/** The price of a redemption above the quota, and of any refresh, in cents: 0 on a plan that stops at its quota. */
export function unitCentsOf(plan: Plan): number {
  return plan.overageCents ?? 0;
}

function byPlan<Value extends number | null>(plan: Expression<string>, value: (plan: Plan) => Value) {
  const each = plans.map((one) => sql`when ${sql.lit(one.slug)} then ${sql.lit(value(one))}`);
  return sql<Value>`case ${plan} ${sql.join(each, sql` `)} end`;
}

/** The same as SQL, of an expression that is a plan's slug. */
export const planSql = {
  quota: (plan: Expression<string>) => byPlan(plan, ({ redemptionQuota }) => redemptionQuota),
  cap: (plan: Expression<string>) => byPlan(plan, capOf),
  unitCents: (plan: Expression<string>) => byPlan(plan, unitCentsOf),
};
