import { sql } from 'kysely';
import { type Clock, DAY } from '#platform/clock.ts';
import { acrossTenants } from '#platform/db/tenant.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Logger } from '#platform/log.ts';
import type { PayoutEmails } from '../emails/payout-emails.service.ts';
import { outstandingOf, REMIND_AGAIN, reminderOf, SILENCE } from '../payout-rules.ts';
import { lockPayout } from '../statements/payouts.queries.ts';
import type { PayoutsDb, PayoutsHandle } from '../tables.ts';
import type { Agreement } from './agreement.service.ts';

export const payoutRemindersJob = jobKind({
  name: 'payout-reminders',
  cron: '35 * * * *',
  retryLimit: 2,
  retryDelay: 60,
  expireInSeconds: 3600,
});

interface Dependencies {
  db: PayoutsDb;
  clock: Clock;
  log: Logger;
  payoutEmails: PayoutEmails;
  agreement: Agreement;
}

const PAGE = 200;

/**
 * Reminds of statements that wait for somebody, unless what is left to pay is less than the developer wants to remind of,
 * and confirms them after 14 days of silence.
 */
export class Reminders {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** The job. One statement that fails does not keep the others from their turn; the next run tries it again. */
  async run(): Promise<void> {
    const { db, clock, log } = this.#deps;
    const failed = new Set<string>();
    for (;;) {
      const due = await db
        .selectFrom('payouts')
        .select(['id', 'developer_id'])
        .where('remind_at', 'is not', null)
        .where('remind_at', '<=', clock.now())
        .where(sql<boolean>`not id = any(${[...failed]}::uuid[])`)
        .orderBy('remind_at')
        .limit(PAGE)
        .modifyEnd(acrossTenants('the reminders'))
        .execute();
      for (const { id, developer_id } of due) {
        try {
          await this.#remind(developer_id, id);
        } catch (error) {
          failed.add(id);
          log.error({ err: error, payout: id }, 'a reminder of a statement failed');
        }
      }
      if (due.length < PAGE) break;
    }
    if (failed.size > 0) throw new Error(`${failed.size} reminders failed`);
  }

  async #remind(developerId: string, id: string): Promise<void> {
    const { db, clock, payoutEmails, agreement } = this.#deps;
    await db.work({ tx: true }, async (tx) => {
      const now = clock.now();
      const payout = await lockPayout(tx, { side: 'developer', accountId: developerId }, id);
      // another process was here first, or somebody has just acted on it
      if (!payout?.remind_at || payout.remind_at > now) return;
      const least = await leastOf(tx, developerId);
      const what = least === null ? null : reminderOf(payout, now);
      if (what === 'confirmed_by_silence') {
        await agreement.addMessage(tx, payout, { kind: 'confirm', authorId: null, text: null });
        await agreement.setConfirmed(tx, payout, now);
        return;
      }
      if (what && least !== null && outstandingOf(payout) >= least) await payoutEmails.remind(tx, payout, what);
      const next =
        what === 'unconfirmed' ? payout.closed_at.getTime() + SILENCE * DAY : now.getTime() + REMIND_AGAIN * DAY;
      await tx
        .updateTable('payouts')
        .set({ remind_at: what ? new Date(next) : null })
        .where('developer_id', '=', developerId)
        .where('id', '=', id)
        .execute();
    });
  }
}

/**
 * The least amount that the developer has reminders of. Null: nobody is left to pay, or to record a payment, because the
 * account is deleted.
 */
async function leastOf(handle: PayoutsHandle, developerId: string): Promise<number | null> {
  const account = await handle
    .selectFrom('users')
    .select('reminder_cents')
    .where('id', '=', developerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return account?.reminder_cents ?? null;
}
