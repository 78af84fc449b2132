import type { Readable } from 'node:stream';
import { type Clock, MINUTE } from '#platform/clock.ts';
import { AppError, notFound } from '#platform/errors.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { toDollars } from '#platform/money.ts';
import { isPaymentError, type PaymentInvoice, type Payments, tryLater } from '#platform/payments/payments.ts';
import type { Exports } from '#platform/spool/exports.ts';
import { collectStatementJob } from '../collection/collection.service.ts';
import type { CollectionHold } from '../collection/collection-hold.service.ts';
import {
  changeStatement,
  type DueStatement,
  endStatementLease,
  forgetInvoice,
  leaseStatement,
} from '../collection/due.queries.ts';
import type { Outcomes } from '../collection/outcomes.service.ts';
import type { StripeInvoices } from '../collection/stripe-invoices.service.ts';
import { differenceOf } from '../reconcile/differences.queries.ts';
import { linesOf } from '../statements/statements.queries.ts';
import type { BillingState } from '../statements/statements.schemas.ts';
import { unfinished, unpaid } from '../statements/unfinished.ts';
import type { BillingDb } from '../tables.ts';
import { findStory, type LogRow, listLogs, logsExport, logsOf, type StoryRow } from './log.queries.ts';
import type { BillingStory, ListBillingLogsQuery } from './log.schemas.ts';

interface Dependencies {
  db: BillingDb;
  clock: Clock;
  exports: Exports;
  jobs: Jobs;
  payments: Payments | null;
  invoices: StripeInvoices | null;
  outcomes: Outcomes;
  hold: CollectionHold;
}

const LEASE = 5 * MINUTE;

/** The admins' view of all collection, and their decisions. */
export class BillingLogs {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async list({ page, ...filter }: ListBillingLogsQuery) {
    const { rows, total } = await listLogs(this.#deps.db, page, filter);
    return { logs: rows.map(view), total };
  }

  export(adminId: string, { page: _, ...filter }: ListBillingLogsQuery, signal: AbortSignal): Promise<Readable> {
    return this.#deps.exports.open(adminId, logsExport(filter), signal);
  }

  /** @throws {AppError} not_found */
  async story(id: string): Promise<BillingStory> {
    const { db } = this.#deps;
    const statement = await this.#find(id);
    const key = { developer_id: statement.user_id, id };
    const [lines, logs] = [await linesOf(db, key), await logsOf(db, key)];
    return {
      statement: { ...statement, difference: await differenceOf(db, key) },
      lines: lines.map(({ kind: _, ...line }) => line),
      logs: logs.map(view),
    };
  }

  /** Makes it due now. @throws {AppError} not_found, conflict */
  async retry(adminId: string, id: string): Promise<BillingStory> {
    const { db, clock, jobs, outcomes } = this.#deps;
    this.#configured();
    const { user_id, state } = await this.#find(id);
    if (await this.#deps.hold.current())
      throw new AppError(
        'conflict',
        'Nothing is charged since the database was set back to a backup. Reconcile, then release the collection.',
      );
    await db.work({ tx: true }, async (tx) => {
      const now = clock.now();
      const statement = await leaseStatement(tx, { developer_id: user_id, id }, now, now, unpaid);
      if (!statement) throw refusal(state, unpaid);
      const isGivenUp = statement.state === 'uncollectible';
      await changeStatement(tx, statement)
        .set({
          next_attempt_at: now,
          lease_until: null,
          first_failed_at: isGivenUp ? null : statement.first_failed_at,
          state: isGivenUp || statement.state === 'failed' ? 'open' : statement.state,
        })
        .execute();
      const { attempts: attempt } = statement;
      await outcomes.log(tx, statement, { action: 'retry', status: 'success', attempt, actorId: adminId });
      await jobs.enqueue(tx, collectStatementJob, { developerId: user_id, statementId: id });
    });
    return this.story(id);
  }

  /** Stops trying. It can still be paid later. @throws {AppError} not_found, conflict, unavailable */
  async giveUp(adminId: string, id: string): Promise<BillingStory> {
    const { payments } = this.#configured();
    await this.#held(id, unfinished, async (statement) => {
      const invoice = await this.#unpaid(statement);
      if (invoice?.status === 'open') await payments.giveUpInvoice(invoice.id);
      await this.#deps.outcomes.givenUp(statement, adminId);
    });
    return this.story(id);
  }

  /** Cancels it: nothing is owed. @throws {AppError} not_found, conflict, unavailable */
  async void(adminId: string, id: string): Promise<BillingStory> {
    const { payments } = this.#configured();
    await this.#held(id, unpaid, async (statement) => {
      const invoice = await this.#unpaid(statement);
      if (invoice?.status === 'open' || invoice?.status === 'uncollectible') await payments.voidInvoice(invoice.id);
      await this.#deps.outcomes.voided(statement, adminId);
    });
    return this.story(id);
  }

  /**
   * Reads the invoice at Stripe; deletes a draft.
   * @throws {AppError} conflict: paid before the admin decided, which counts.
   */
  async #unpaid(statement: DueStatement): Promise<PaymentInvoice | null> {
    const { payments, invoices } = this.#configured();
    const invoice = await invoices.find(statement);
    if (invoice?.status === 'paid') {
      await this.#deps.outcomes.apply(statement, invoice);
      throw new AppError('conflict', 'The invoice has just been paid.');
    }
    if (invoice?.status !== 'draft') return invoice;
    await payments.deleteDraft(invoice.id);
    await forgetInvoice(this.#deps.db, statement);
    return null;
  }

  async #find(id: string): Promise<StoryRow> {
    const statement = await findStory(this.#deps.db, id);
    if (!statement) throw notFound('Invoice');
    return statement;
  }

  async #held(
    id: string,
    states: readonly BillingState[],
    work: (statement: DueStatement) => Promise<void>,
  ): Promise<void> {
    const { db, clock } = this.#deps;
    const { user_id, state } = await this.#find(id);
    const key = { developer_id: user_id, id };
    const now = clock.now();
    const statement = await leaseStatement(db, key, now, new Date(now.getTime() + LEASE), states);
    if (!statement) throw refusal(state, states);
    try {
      await work(statement);
    } catch (cause) {
      if (isPaymentError(cause, 'unauthorized'))
        throw new AppError('unavailable', `Stripe does not accept STRIPE_SECRET_KEY: ${cause.message}`, { cause });
      throw tryLater(cause);
    } finally {
      await endStatementLease(db, statement, null);
    }
  }

  #configured(): { payments: Payments; invoices: StripeInvoices } {
    const { payments, invoices } = this.#deps;
    if (!payments || !invoices) throw new AppError('payments_not_configured');
    return { payments, invoices };
  }
}

/** Why a statement could not be taken that was in this state a moment ago. */
const refusal = (state: BillingState, states: readonly BillingState[]) =>
  new AppError(
    'conflict',
    states.includes(state)
      ? 'The invoice is being collected. Please try again in a moment.'
      : `The invoice is ${state}; this is no longer possible.`,
  );

const view = (row: LogRow) => ({ ...row, amount: toDollars(row.amount_cents) });
