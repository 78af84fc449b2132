import { type NotNull, sql } from 'kysely';
import { openEmailOf } from '#features/accounts';
import { recordWebhook } from '#features/webhooks';
import { WriteBehind } from '#platform/caches/write-behind.ts';
import { type Clock, DAY, SECOND } from '#platform/clock.ts';
import type { Columns } from '#platform/db/tables.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import type { Publisher } from '#platform/events.ts';
import type { Logger } from '#platform/log.ts';
import { monthOf } from '#platform/time/months.ts';
import { planOf, planSql } from './plans.ts';
import { quotaLevel } from './quota.ts';
import { quotaEmail, refusedEmail } from './quota-emails.ts';
import type { PlansDb, PlansHandle } from './tables.ts';
import type { UsageEvent } from './usage-event.ts';

interface Dependencies {
  db: PlansDb;
  clock: Clock;
  log: Logger;
  events: Publisher<UsageEvent>;
  emailQueue: EmailQueue;
  publicUrl: string;
}

interface Month extends Columns<'usage_months', 'redemptions'> {
  plan: string;
}

const NOT_NOTIFIED = 'a developer could not be told that the cap refused a customer';

/** Notifies developers that their quota is running out, and that the cap refused a customer. */
export class QuotaEmails {
  readonly #deps: Dependencies;
  /** A refused redemption is rolled back with all it wrote, so it is noted here, and written on its own. */
  readonly #refused: WriteBehind<Date>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#refused = new WriteBehind(
      2 * SECOND,
      async (notes) => {
        for (const [developerId, at] of notes) {
          await this.#notifyRefused(developerId, at).catch((error) =>
            deps.log.error({ err: error, developer: developerId }, NOT_NOTIFIED),
          );
        }
      },
      (error) => deps.log.error({ err: error }, NOT_NOTIFIED),
    );
  }

  /** The job. Each level is told once a month, also when it was jumped over or the plan was switched in between. */
  async warn({ developerId, month }: { developerId: string; month: string }): Promise<void> {
    const { db, clock } = this.#deps;
    // it came too late: another month runs
    if (monthOf(clock.now()) !== month) return;
    await db.work({ tx: true }, async (tx) => {
      const now = await tx
        .selectFrom('usage_months')
        .select(['plan', 'redemptions', 'warned_percent'])
        .where('developer_id', '=', developerId)
        .where('month', '=', month)
        .where('plan', 'is not', null)
        .$narrowType<{ plan: NotNull }>()
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (!now) return;
      const level = quotaLevel(now.redemptions, planOf(now.plan).redemptionQuota);
      if (level <= now.warned_percent) return;
      await tx
        .updateTable('usage_months')
        .set({ warned_percent: level })
        .where('developer_id', '=', developerId)
        .where('month', '=', month)
        .execute();
      const { redemptions, plan } = now;
      const redemption_quota = planOf(plan).redemptionQuota;
      const data = { plan, month, percent: level, redemptions, redemption_quota };
      await recordWebhook(tx, developerId, { type: 'plan.usage', at: clock.now(), data });
      await this.#notify(tx, developerId, 'quota_reached', now, (to, reached) => quotaEmail(to, reached, level), month);
    });
  }

  /** After the cap has refused a redemption. Costs it nothing. */
  noteRefused(developerId: string): void {
    this.#refused.note(developerId, this.#deps.clock.now());
  }

  async #notifyRefused(developerId: string, at: Date): Promise<void> {
    const month = monthOf(at);
    const plan = sql<string>`coalesce(m.plan, a.plan)`;
    await this.#deps.db.work({ tx: true }, async (tx) => {
      // nothing when the plan was switched meanwhile
      const {
        rows: [now],
      } = await sql<Month>`
        update usage_months m set refusal_noted_at = ${at} from users a
        where m.developer_id = ${developerId} and m.month = ${month} and a.id = m.developer_id
          and (m.refusal_noted_at is null or m.refusal_noted_at <= ${new Date(at.getTime() - DAY)})
          and m.redemptions >= ${planSql.cap(plan)}
        returning ${plan} as plan, m.redemptions`.execute(tx);
      if (now) await this.#notify(tx, developerId, 'redemption_refused', now, refusedEmail, month);
    });
  }

  async #notify(
    tx: PlansHandle,
    developerId: string,
    kind: UsageEvent['data']['kind'],
    { plan: slug, redemptions }: Month,
    compose: (to: string, reached: Parameters<typeof refusedEmail>[1]) => ReturnType<typeof refusedEmail>,
    month: string,
  ): Promise<void> {
    const { events, emailQueue, publicUrl } = this.#deps;
    const plan = planOf(slug);
    await events.publish(tx, developerId, {
      type: 'usage',
      data: { kind, plan: slug, redemptions, redemption_quota: plan.redemptionQuota },
    });
    const to = await openEmailOf(tx, developerId);
    if (to === undefined) return;
    const url = `${publicUrl}/app/settings#plan`;
    await emailQueue.queue(tx, compose(to, { plan, redemptions, month, url }));
  }

  close(): Promise<void> {
    return this.#refused.close();
  }
}
