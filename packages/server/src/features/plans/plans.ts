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

/** What a redemption costs above the quota, and a refresh always, in cents: nothing on a plan that stops at its quota. */
export function unitCentsOf(plan: Plan): number {
  return plan.overageCents ?? 0;
}

const byPlan = (plan: string, value: (plan: Plan) => number | null) =>
  `case ${plan} ${plans.map((each) => `when '${each.slug}' then ${value(each) ?? 'null'}`).join(' ')} end`;

/** The same as SQL, of an expression that is a plan's slug. */
export const planSql = {
  quota: (plan: string) => byPlan(plan, ({ redemptionQuota }) => redemptionQuota),
  cap: (plan: string) => byPlan(plan, capOf),
  unitCents: (plan: string) => byPlan(plan, unitCentsOf),
};
