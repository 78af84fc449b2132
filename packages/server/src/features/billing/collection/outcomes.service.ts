import { openEmailOf } from '#features/accounts';
import type { Clock } from '#platform/clock.ts';
import type { Email, EmailQueue } from '#platform/email/mailer.ts';
import type { Publisher } from '#platform/events.ts';
import { lastRestoredAt } from '#platform/operations/restores.ts';
import type { PaymentInvoice } from '#platform/payments/payments.ts';
import type { Random } from '#platform/random.ts';
import type { BillingAction } from '../log/log.entity.ts';
import type { BillingState } from '../statements/statements.schemas.ts';
import { unfinished, unpaid } from '../statements/unfinished.ts';
import type { BillingDb, BillingHandle } from '../tables.ts';
import { type BillingEvent, billingEvent, failureOf } from './billing-event.ts';
import { chargeFailedEmail, givenUpEmail, paidEmail } from './collection-emails.ts';
import { afterFailure, givenUpAt, paidBy } from './collection-rules.ts';
import { attemptsBefore, changeStatement, type DueStatement, isTakenUp, lockStatement } from './due.queries.ts';

interface Dependencies {
  db: BillingDb;
  clock: Clock;
  random: Random;
  emailQueue: EmailQueue;
  events: Publisher<BillingEvent>;
  publicUrl: string;
}

interface Entry {
  action: BillingAction;
  status: 'success' | 'failed';
  attempt: number;
  error?: string | null;
  actorId?: string | null;
}

/** Results of a try: the statement's state, its log, the email and the bell, all in one transaction, and once. */
export class Outcomes {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Takes over what Stripe has. @returns whether that is final; false: the invoice is still to be paid. */
  async apply(statement: DueStatement, invoice: PaymentInvoice): Promise<boolean> {
    if (invoice.status === 'paid') await this.#paid(statement, invoice);
    else if (invoice.status === 'uncollectible') {
      // it stays so at Stripe while an admin has it charged again
      if (await isTakenUp(this.#deps.db, statement)) return false;
      await this.givenUp(statement, null);
    } else if (invoice.status === 'void') await this.voided(statement, null);
    else return false;
    return true;
  }

  /** It was given up at Stripe alone, and an admin has it charged again: its calendar begins anew. */
  async takenUp(key: DueStatement): Promise<void> {
    await this.#once(key, unfinished, async (tx, statement) => {
      if ((await attemptsBefore(tx, statement)) !== null) return;
      await this.log(tx, statement, { action: 'uncollectible', status: 'success', attempt: statement.attempts });
      await changeStatement(tx, statement).set({ first_failed_at: null }).execute();
    });
  }

  #paid(key: DueStatement, invoice: PaymentInvoice): Promise<void> {
    return this.#once(key, unpaid, async (tx, statement) => {
      const attempt = statement.attempts + 1;
      const paid = { by: paidBy(invoice), charged: invoice.amountPaid, balance: invoice.startingBalance };
      await changeStatement(tx, statement)
        .set({
          state: 'paid',
          // locked, so that it is as it was read
          stripe_invoice_id: statement.stripe_invoice_id ?? invoice.id,
          attempts: attempt,
          paid_at: this.#deps.clock.now(),
          paid_by: paid.by,
          charged_cents: paid.charged,
          balance_cents: paid.balance,
          next_attempt_at: null,
          last_error: null,
          last_reason: null,
        })
        .execute();
      const action = paid.by === 'card' ? 'charge' : 'balance';
      await this.log(tx, statement, { action, status: 'success', attempt });
      // the receipt came before the database was set back
      const isAnnounced = invoice.paidAt !== null && invoice.paidAt < (await lastRestoredAt(tx));
      const receipt = (to: string) => paidEmail(to, this.#stated(statement), paid);
      await this.#notify(tx, statement, 'paid', isAnnounced ? null : receipt);
    });
  }

  /**
   * A charge that was declined, or could not be tried.
   * @returns `again`: it is due at once, because another card came while this one was charged; `over`: its time is up, and the
   * developer is told when it is given up.
   */
  async failed(
    key: DueStatement,
    why: { reason: string | null; message: string },
  ): Promise<'again' | 'waiting' | 'over'> {
    let outcome: 'again' | 'waiting' | 'over' = 'waiting';
    await this.#once(key, unpaid, async (tx, statement) => {
      outcome = 'waiting';
      // somebody else has noted this attempt
      if (statement.attempts !== key.attempts) return;
      const now = this.#deps.clock.now();
      const attempt = statement.attempts + 1;
      const first = statement.first_failed_at ?? now;
      if (statement.next_attempt_at?.getTime() !== key.next_attempt_at?.getTime()) outcome = 'again';
      else if (givenUpAt(first) <= now) outcome = 'over';
      // an invoice that was given up and is charged again starts the calendar anew
      const failures = attempt - ((await attemptsBefore(tx, statement)) ?? 0);
      const { state, next } =
        outcome === 'again' ? { state: 'open' as const, next: now } : afterFailure(failures, first, now);
      await changeStatement(tx, statement)
        .set({
          state,
          attempts: attempt,
          first_failed_at: first,
          next_attempt_at: next,
          last_error: why.message,
          last_reason: why.reason,
        })
        .execute();
      await this.log(tx, statement, { action: 'charge', status: 'failed', attempt, error: why.message });
      if (outcome === 'over') return;
      const tried = state === 'open' ? next : null;
      const failure = failureOf(why.reason);
      await this.#notify(tx, statement, failure, (to) =>
        chargeFailedEmail(to, this.#stated(statement), { ...why, confirmUrl: this.#confirmUrl(statement) }, tried),
      );
    });
    return outcome;
  }

  /** @param actorId the admin who gives it up; null: its time has come, or somebody did so at Stripe. */
  givenUp(key: DueStatement, actorId: string | null): Promise<void> {
    return this.#once(key, unfinished, async (tx, statement) => {
      await this.#end(tx, statement, 'uncollectible');
      const { attempts: attempt } = statement;
      await this.log(tx, statement, { action: 'uncollectible', status: 'success', attempt, actorId });
      await this.#notify(tx, statement, 'uncollectible', (to) => givenUpEmail(to, this.#stated(statement)));
    });
  }

  voided(key: DueStatement, actorId: string | null): Promise<void> {
    return this.#once(key, unpaid, async (tx, statement) => {
      await this.#end(tx, statement, 'void');
      const { attempts: attempt } = statement;
      await this.log(tx, statement, { action: 'void', status: 'success', attempt, actorId });
      await this.#notify(tx, statement, 'void', null);
    });
  }

  async #end(tx: BillingHandle, statement: DueStatement, state: 'uncollectible' | 'void'): Promise<void> {
    await changeStatement(tx, statement).set({ state, next_attempt_at: null }).execute();
  }

  /** Does something with a statement that is in one of these states, alone. */
  async #once(
    key: DueStatement,
    states: readonly BillingState[],
    work: (tx: BillingHandle, now: DueStatement) => Promise<void>,
  ): Promise<void> {
    await this.#deps.db.work({ tx: true }, async (tx) => {
      const statement = await lockStatement(tx, key);
      if (statement && states.includes(statement.state)) await work(tx, statement);
    });
  }

  async log(tx: BillingHandle, statement: DueStatement, entry: Entry): Promise<void> {
    const { random, clock } = this.#deps;
    await tx
      .insertInto('billing_logs')
      .values({
        developer_id: statement.developer_id,
        id: random.id(),
        statement_id: statement.id,
        attempt: entry.attempt,
        action: entry.action,
        status: entry.status,
        email: statement.party.email,
        amount_cents: statement.total_cents,
        error_message: entry.error ?? null,
        actor_id: entry.actorId ?? null,
        created_at: clock.now(),
      })
      .onConflict((on) => on.doNothing())
      .execute();
  }

  async #notify(
    tx: BillingHandle,
    statement: DueStatement,
    what: BillingEvent['data']['what'],
    email: ((to: string) => Email) | null,
  ) {
    const { emailQueue, events } = this.#deps;
    const to = await openEmailOf(tx, statement.developer_id);
    if (to === undefined) return;
    if (email) await emailQueue.queue(tx, email(to));
    await events.publish(tx, statement.developer_id, billingEvent(statement, what));
  }

  #confirmUrl({ id }: DueStatement): string {
    return `${this.#deps.publicUrl}/dashboard/settings/card?invoice=${id}`;
  }

  #stated({ number, month, total_cents }: DueStatement) {
    return { number, month, total_cents, url: `${this.#deps.publicUrl}/dashboard/billing` };
  }
}
