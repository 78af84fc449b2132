import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { type Plan, planOf, plans } from './plans.ts';
import { monthOf } from './usage.ts';

/** The plans, and an account's usage of its own. */
export class Plans {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(deps: { db: Database; clock: Clock }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
  }

  list() {
    return plans.map(view);
  }

  async of(accountId: string) {
    const [row] = await this.#db.query<{ plan: string }>('select plan from users where id = $1', [accountId]);
    return view(planOf(row?.plan ?? 'free'));
  }

  async usage(accountId: string): Promise<{ redemptions: number; month: string }> {
    const month = monthOf(this.#clock.now());
    const [row] = await this.#db.query<{ redemptions: number }>(
      'select redemptions from usage_months where developer_id = $1 and month = $2',
      [accountId, month],
    );
    return { redemptions: row?.redemptions ?? 0, month: month.slice(0, 7) };
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
