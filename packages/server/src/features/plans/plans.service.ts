import type { Clock } from '#platform/clock.ts';
import { monthOf, shortMonth } from '#platform/time/months.ts';
import { type Plan, planOf, plans } from './plans.ts';
import type { PlansDb } from './tables.ts';

/** The plans, and an account's usage of its own. */
export class Plans {
  readonly #db: PlansDb;
  readonly #clock: Clock;

  constructor(deps: { db: PlansDb; clock: Clock }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
  }

  list() {
    return plans.map(view);
  }

  async of(accountId: string) {
    const row = await this.#db.selectFrom('users').select('plan').where('id', '=', accountId).executeTakeFirst();
    return view(planOf(row?.plan ?? 'free'));
  }

  async usage(accountId: string): Promise<{ redemptions: number; month: string }> {
    const month = monthOf(this.#clock.now());
    const row = await this.#db
      .selectFrom('usage_months')
      .select('redemptions')
      .where('developer_id', '=', accountId)
      .where('month', '=', month)
      .executeTakeFirst();
    return { redemptions: row?.redemptions ?? 0, month: shortMonth(month) };
  }
}

function view(plan: Plan) {
  return {
    id: plan.slug,
    slug: plan.slug,
    key: plan.slug,
    name: plan.name,
    price_cents: plan.priceCents,
    interval: 'month' as const,
    redemption_quota: plan.redemptionQuota,
    overage_cents: plan.overageCents,
  };
}
