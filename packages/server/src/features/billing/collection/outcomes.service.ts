import type { Clock } from '#platform/clock.ts';
import type { Database, Tx } from '#platform/db/database.ts';
import type { EmailQueue, Mail } from '#platform/email/mailer.ts';
import type { Publisher } from '#platform/events.ts';
import { lastRestoredAt } from '#platform/operations/restores.ts';
import type { PaymentInvoice } from '#platform/payments/payments.ts';
import type { Random } from '#platform/random.ts';
import type { BillingAction } from '../log/log.entity.ts';
import { type BillingEvent, billingEvent, failureOf } from './billing-event.ts';
import { chargeFailedEmail, givenUpEmail, paidEmail } from './collection-emails.ts';
import { afterFailure, givenUpAt, paidBy } from './collection-rules.ts';
import { attemptsBefore, type DueStatement, isTakenUp, readStatement } from './due.queries.ts';

interface Dependencies {
  db: Database;
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

/** What came of a try: the statement's state, its log, the email and the bell, all in one transaction, and once. */
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
    await this.#once(key, ['rated', 'invoiced', 'open', 'failed'], async (tx, statement) => {
      if ((await attemptsBefore(tx, statement)) !== null) return;
      await this.log(tx, statement, { action: 'uncollectible', status: 'success', attempt: statement.attempts });
      await tx.query('update billing_statements set first_failed_at = null where developer_id = $1 and id = $2', [
        statement.developer_id,
        statement.id,
      ]);
    });
  }

  #paid(key: DueStatement, invoice: PaymentInvoice): Promise<void> {
    return this.#once(key, ['rated', 'invoiced', 'open', 'failed', 'uncollectible'], async (tx, statement) => {
      const attempt = statement.attempts + 1;
      const paid = { by: paidBy(invoice), charged: invoice.amountPaid, balance: invoice.startingBalance };
      await tx.query(
        `update billing_statements set state = 'paid', stripe_invoice_id = coalesce(stripe_invoice_id, $3), attempts = $4,
           paid_at = $5, paid_by = $6, charged_cents = $7, balance_cents = $8, next_attempt_at = null, last_error = null,
           last_reason = null where developer_id = $1 and id = $2`,
        [
          statement.developer_id,
          statement.id,
          invoice.id,
          attempt,
          this.#deps.clock.now(),
          paid.by,
          paid.charged,
          paid.balance,
        ],
      );
      const action = paid.by === 'card' ? 'charge' : 'balance';
      await this.log(tx, statement, { action, status: 'success', attempt });
      // the receipt came before the database was set back
      const isTold = invoice.paidAt !== null && invoice.paidAt < (await lastRestoredAt(tx));
      const receipt = (to: string) => paidEmail(to, this.#stated(statement), paid);
      await this.#tell(tx, statement, 'paid', isTold ? null : receipt);
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
    await this.#once(key, ['rated', 'invoiced', 'open', 'failed', 'uncollectible'], async (tx, statement) => {
      outcome = 'waiting';
      // somebody else has noted this attempt
      if (statement.attempts !== key.attempts) return;
      const now = this.#deps.clock.now();
      const attempt = statement.attempts + 1;
      const first = statement.first_failed_at ?? now;
      if (statement.next_attempt_at?.getTime() !== key.next_attempt_at?.getTime()) outcome = 'again';
      else if (givenUpAt(first) <= now) outcome = 'over';
      // what was given up and is charged again has the whole calendar before it
      const failures = attempt - ((await attemptsBefore(tx, statement)) ?? 0);
      const { state, next } =
        outcome === 'again' ? { state: 'open' as const, next: now } : afterFailure(failures, first, now);
      await tx.query(
        `update billing_statements set state = $3, attempts = $4, first_failed_at = $5, next_attempt_at = $6, last_error = $7,
           last_reason = $8 where developer_id = $1 and id = $2`,
        [statement.developer_id, statement.id, state, attempt, first, next, why.message, why.reason],
      );
      await this.log(tx, statement, { action: 'charge', status: 'failed', attempt, error: why.message });
      if (outcome === 'over') return;
      const tried = state === 'open' ? next : null;
      const failure = failureOf(why.reason);
      await this.#tell(tx, statement, failure, (to) =>
        chargeFailedEmail(to, this.#stated(statement), { ...why, confirmUrl: this.#confirmUrl(statement) }, tried),
      );
    });
    return outcome;
  }

  /** @param actorId the admin who gives it up; null: its time has come, or somebody did so at Stripe. */
  givenUp(key: DueStatement, actorId: string | null): Promise<void> {
    return this.#once(key, ['rated', 'invoiced', 'open', 'failed'], async (tx, statement) => {
      await this.#end(tx, statement, 'uncollectible');
      const { attempts: attempt } = statement;
      await this.log(tx, statement, { action: 'uncollectible', status: 'success', attempt, actorId });
      await this.#tell(tx, statement, 'uncollectible', (to) => givenUpEmail(to, this.#stated(statement)));
    });
  }

  voided(key: DueStatement, actorId: string | null): Promise<void> {
    return this.#once(key, ['rated', 'invoiced', 'open', 'failed', 'uncollectible'], async (tx, statement) => {
      await this.#end(tx, statement, 'void');
      const { attempts: attempt } = statement;
      await this.log(tx, statement, { action: 'void', status: 'success', attempt, actorId });
      await this.#tell(tx, statement, 'void', null);
    });
  }

  async #end(tx: Tx, { developer_id, id }: DueStatement, state: 'uncollectible' | 'void'): Promise<void> {
    await tx.query(
      'update billing_statements set state = $3, next_attempt_at = null where developer_id = $1 and id = $2',
      [developer_id, id, state],
    );
  }

  /** Does something with a statement that is in one of these states, alone. */
  async #once(key: DueStatement, states: string[], work: (tx: Tx, now: DueStatement) => Promise<void>): Promise<void> {
    await this.#deps.db.transaction(async (tx) => {
      const statement = await readStatement(tx, key, 'for update');
      if (statement && states.includes(statement.state)) await work(tx, statement);
    });
  }

  async log(tx: Tx, statement: DueStatement, entry: Entry): Promise<void> {
    const { random, clock } = this.#deps;
    await tx.query(
      `insert into billing_logs (developer_id, id, statement_id, attempt, action, status, email, amount_cents, error_message, actor_id, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing`,
      [
        statement.developer_id,
        random.id(),
        statement.id,
        entry.attempt,
        entry.action,
        entry.status,
        statement.party.email,
        statement.total_cents,
        entry.error ?? null,
        entry.actorId ?? null,
        clock.now(),
      ],
    );
  }

  async #tell(
    tx: Tx,
    statement: DueStatement,
    what: BillingEvent['data']['what'],
    mail: ((to: string) => Mail) | null,
  ) {
    const { emailQueue, events } = this.#deps;
    const [account] = await tx.query<{ email: string }>(
      'select email from users where id = $1 and deleted_at is null',
      [statement.developer_id],
    );
    if (!account) return;
    if (mail) await emailQueue.queue(tx, mail(account.email));
    await events.publish(tx, statement.developer_id, billingEvent(statement, what));
  }

  #confirmUrl({ id }: DueStatement): string {
    return `${this.#deps.publicUrl}/dashboard/settings/card?invoice=${id}`;
  }

  #stated({ number, month, total_cents }: DueStatement) {
    return { number, month, total_cents, url: `${this.#deps.publicUrl}/dashboard/billing` };
  }
}
