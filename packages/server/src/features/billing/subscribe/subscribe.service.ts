import { lockAccount } from '#features/accounts';
import {
  billOf,
  capOf,
  findPlan,
  type Plan,
  planMonths,
  planOf,
  quotaLevel,
  quotaWarningJob,
  switchPlan,
  type UsageEvent,
  usageMonth,
} from '#features/plans';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { dryRunnable } from '#platform/db/dry-run.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import { AppError, invalidField } from '#platform/errors.ts';
import type { Publisher } from '#platform/events.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { toDollars } from '#platform/money.ts';
import type { Random } from '#platform/random.ts';
import { monthOf, nextMonth } from '#platform/time/months.ts';
import { limits as policies } from '../limits.ts';
import type { BillingDb } from '../tables.ts';
import type { PlanSwitch } from './subscribe.schemas.ts';
import { switchedEmail } from './switched-email.ts';

interface Dependencies {
  db: BillingDb;
  clock: Clock;
  random: Random;
  jobs: Jobs;
  limits: RateLimits;
  events: Publisher<UsageEvent>;
  emailQueue: EmailQueue;
  publicUrl: string;
  /** Whether a developer may be on a plan that needs a card. */
  hasCard(sql: Sql, developerId: string): Promise<boolean>;
}

/** Switches plans. */
export class Subscriptions {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Switches the caller's plan at once, or reports what that would mean: the same work, rolled back. The plan that is held
   * already changes nothing and emails nobody, however often it is chosen.
   * @throws {AppError} invalid_request for a plan that there is not; card_required.
   */
  async subscribe(caller: Principal, form: { plan_id: string; dry_run: boolean }): Promise<PlanSwitch> {
    const { db, limits } = this.#deps;
    const plan = findPlan(form.plan_id);
    if (!plan) throw invalidField('plan_id', 'There is no such plan. Choose one of those at /api/plans.');
    await limits.take(policies.plan_switches, caller.accountId);
    let done: PlanSwitch | undefined;
    await dryRunnable(form.dry_run, (end) =>
      db.work({ tx: true }, async (tx) => {
        done = await this.#within(tx, caller, plan, form.dry_run);
        end();
      }),
    );
    return done as PlanSwitch;
  }

  async #within(tx: Sql, caller: Principal, plan: Plan, dryRun: boolean): Promise<PlanSwitch> {
    const { clock, events, jobs, emailQueue, publicUrl, hasCard } = this.#deps;
    const developerId = caller.accountId;
    const before = await switchPlan(tx, this.#deps, { developerId, plan: plan.slug, by: developerId });
    const email = await lockAccount(tx, caller);
    const done = await this.#outcome(tx, developerId, planOf(before), plan, dryRun);
    if (!done.changed) return done;
    if (plan.slug !== 'free' && !(await hasCard(tx, developerId))) {
      throw new AppError('card_required', 'Add a card first.');
    }
    if (dryRun) return done;
    await emailQueue.queue(tx, switchedEmail(email, { ...done, previous: planOf(before).name, publicUrl }));
    await events.publish(tx, developerId, {
      type: 'usage',
      data: {
        kind: 'plan_switched',
        plan: plan.slug,
        redemptions: done.redemptions,
        redemption_quota: plan.redemptionQuota,
      },
    });
    // a smaller quota may be used up, or nearly, at this moment
    if (quotaLevel(done.redemptions, plan.redemptionQuota) > 0) {
      await jobs.enqueue(tx, quotaWarningJob, { developerId, month: monthOf(clock.now()) });
    }
    return done;
  }

  async #outcome(sql: Sql, developerId: string, before: Plan, plan: Plan, dryRun: boolean): Promise<PlanSwitch> {
    const month = monthOf(this.#deps.clock.now());
    const usage = await usageMonth(sql, developerId, month);
    const bill = billOf(usage, await planMonths(sql, developerId));
    const cap = capOf(plan);
    const stopsNow = cap !== null && usage.redemptions >= cap;
    return {
      plan: plan.slug,
      label: plan.name,
      previous_plan: before.slug,
      changed: before.slug !== plan.slug,
      dry_run: dryRun,
      redemptions: usage.redemptions,
      redemption_quota: plan.redemptionQuota,
      overage_price: toDollars(plan.overageCents),
      stops_now: stopsNow,
      resumes_at: stopsNow ? new Date(`${nextMonth(month)}T00:00:00Z`) : null,
      subscription_fee: toDollars(bill.fee_cents),
      next_subscription_fee: toDollars(plan.priceCents),
    };
  }
}
