import { holdMonth } from '#features/plans';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import { toCents } from '#platform/money.ts';
import { dayOf } from '#platform/time/days.ts';
import type { PayoutEmails } from '../emails/payout-emails.service.ts';
import { afterPayment, outstandingOf } from '../payout-rules.ts';
import { notifyPayoutPaid } from '../payout-webhooks.ts';
import type { PayoutSummary } from '../payouts.schemas.ts';
import { findPayout, lockPayout, type PayoutRow, summaryOf } from '../statements/payouts.queries.ts';
import type { PayoutsDb, PayoutsHandle } from '../tables.ts';

interface Dependencies {
  db: PayoutsDb;
  clock: Clock;
  payoutEmails: PayoutEmails;
}

export interface PaymentInput {
  amount?: number | undefined;
  paid_on?: string | undefined;
  method?: string | undefined;
  reference?: string | undefined;
}

/** The most payments of one statement, counter-entries included. */
const MOST_PAYMENTS = 200;

/** The developer's received payments for a statement. They are only ever added; a mistake gets a counter-entry. */
export class Payments {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Records a payment, whole or in part. What is paid beyond the due amount is brought forward by the next close.
   * @param paymentId the id of the request: a repeat of it records nothing.
   * @returns the statement after it.
   * @throws {AppError} conflict when there is nothing to pay.
   */
  record(caller: Principal, id: string, paymentId: string, input: PaymentInput): Promise<PayoutSummary> {
    return this.#once(caller, id, paymentId, async (tx, payout, now, mayEmail) => {
      const outstanding = outstandingOf(payout);
      if (payout.due_cents <= 0) throw new AppError('conflict', 'There is nothing to pay on this statement.');
      if (input.amount === undefined && outstanding <= 0)
        throw new AppError('conflict', 'This statement has been paid.');
      const cents = input.amount === undefined ? outstanding : toCents(input.amount);
      const paidOn = input.paid_on ?? dayOf(now, caller.timeZone);
      // somewhere it may be tomorrow already
      if (Date.parse(`${paidOn}T00:00:00Z`) > now.getTime() + 14 * 3_600_000)
        throw invalidField('paid_on', 'The date is in the future.');
      await this.#add(tx, caller, payout, now, { id: paymentId, cents, paidOn, ...input });
      await this.#deps.payoutEmails.paid(tx, payout, cents, mayEmail);
      await notifyPayoutPaid(tx, payout, cents, now);
    });
  }

  /**
   * Takes a payment back by a counter-entry, whose reason both sides can read.
   * @param entryId as in {@link record}.
   * @returns the statement after it.
   * @throws {AppError} not_found, or conflict when it has been taken back or is a counter-entry itself.
   */
  reverse(caller: Principal, id: string, entryId: string, n: number, reason: string): Promise<PayoutSummary> {
    return this.#once(caller, id, entryId, async (tx, payout, now, mayEmail) => {
      const payment = await paymentsOf(tx, payout)
        .select(['amount_cents', 'reverses'])
        .where('n', '=', n)
        .executeTakeFirst();
      if (!payment) throw notFound('Payment');
      if (payment.reverses !== null)
        throw new AppError('conflict', 'A counter-entry cannot be reversed. Record the payment again.');
      const reversed = await paymentsOf(tx, payout).select('n').where('reverses', '=', n).executeTakeFirst();
      if (reversed) throw new AppError('conflict', 'This payment has been reversed.');
      const paidOn = dayOf(now, caller.timeZone);
      await this.#add(tx, caller, payout, now, {
        id: entryId,
        cents: -payment.amount_cents,
        paidOn,
        reverses: n,
        reason,
      });
      await this.#deps.payoutEmails.reversed(tx, payout, payment.amount_cents, reason, mayEmail);
    });
  }

  /** Does the work unless an earlier attempt of the same request has made its entry; either way answers the statement. */
  async #once(
    { accountId }: Principal,
    id: string,
    entryId: string,
    work: (tx: PayoutsHandle, payout: PayoutRow, now: Date, mayEmail: boolean) => Promise<void>,
  ): Promise<PayoutSummary> {
    const { db, clock, payoutEmails } = this.#deps;
    const mayEmail = await payoutEmails.mayEmail('developer', accountId, id);
    return db.work({ tx: true }, async (tx) => {
      const now = clock.now();
      const payout = await this.#lock(tx, accountId, id, now);
      const made = await paymentsOf(tx, payout).select('id').where('id', '=', entryId).execute();
      if (made.length === 0) await work(tx, payout, now, mayEmail);
      // read before the commit: an answer that fails afterwards would be repeated as a second payment
      const after = await findPayout(tx, { side: 'developer', accountId }, id);
      if (!after) throw notFound('Payout');
      return summaryOf(after);
    });
  }

  /** The month comes before the statement, as in the close, so that the two can't deadlock. */
  async #lock(tx: PayoutsHandle, developerId: string, id: string, now: Date): Promise<PayoutRow> {
    await holdMonth(tx, developerId, now);
    const payout = await lockPayout(tx, { side: 'developer', accountId: developerId }, id);
    if (!payout) throw notFound('Payout');
    return payout;
  }

  async #add(
    tx: PayoutsHandle,
    caller: Principal,
    payout: PayoutRow,
    now: Date,
    entry: {
      id: string;
      cents: number;
      paidOn: string;
      method?: string | undefined;
      reference?: string | undefined;
      reverses?: number;
      reason?: string;
    },
  ): Promise<void> {
    const { n: last } = await paymentsOf(tx, payout)
      .select((eb) => eb.fn.coalesce(eb.fn.max('n'), eb.lit(0)).as('n'))
      .executeTakeFirstOrThrow();
    const n = last + 1;
    if (n > MOST_PAYMENTS) throw new AppError('domain_rule', `A statement has at most ${MOST_PAYMENTS} payments.`);
    await tx
      .insertInto('payout_payments')
      .values({
        developer_id: payout.developer_id,
        payout_id: payout.id,
        id: entry.id,
        n,
        amount_cents: entry.cents,
        paid_on: entry.paidOn,
        method: entry.method || null,
        reference: entry.reference || null,
        reverses: entry.reverses ?? null,
        reason: entry.reason ?? null,
        recorded_by: caller.accountId,
        recorded_at: now,
      })
      .execute();
    const next = afterPayment({ ...payout, paid_cents: payout.paid_cents + entry.cents }, now);
    await tx
      .updateTable('payouts')
      .set((eb) => ({
        paid_cents: eb('paid_cents', '+', entry.cents),
        status: next.status,
        paid_at: next.paidAt,
        remind_at: next.remindAt,
      }))
      .where('developer_id', '=', payout.developer_id)
      .where('id', '=', payout.id)
      .execute();
  }
}

const paymentsOf = (handle: PayoutsHandle, { developer_id, id }: PayoutRow) =>
  handle.selectFrom('payout_payments').where('developer_id', '=', developer_id).where('payout_id', '=', id);
