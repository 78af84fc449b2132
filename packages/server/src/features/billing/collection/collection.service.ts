import { sql } from 'kysely';
import type { Counter } from 'prom-client';
import { type Clock, DAY, MINUTE } from '#platform/clock.ts';
import { isId } from '#platform/ids.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Logger } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import { isPaymentError, PaymentError, type PaymentInvoice, type Payments } from '#platform/payments/payments.ts';
import type { CardSync } from '../cards/card-sync.service.ts';
import { customerRow } from '../cards/cards.queries.ts';
import { hourOf } from '../hour.ts';
import type { BillingDb, BillingHandle } from '../tables.ts';
import { NO_CARD } from './attention.ts';
import { collectionFigures } from './collection-figures.ts';
import type { CollectionHold } from './collection-hold.service.ts';
import { AT_ONCE, givenUpAt, isAboutCard, LONGEST } from './collection-rules.ts';
import {
  type DueStatement,
  dueAgain,
  dueHeld,
  dueStatements,
  dueUntouched,
  endStatementLease,
  isLeased,
  isPaid,
  leaseStatement,
  noteOpen,
  readStatement,
  type StatementKey,
  statementsInHand,
} from './due.queries.ts';
import type { Outcomes } from './outcomes.service.ts';
import type { StripeInvoices } from './stripe-invoices.service.ts';

/** Collects whatever is due, for everybody. */
export const collectDueJob = jobKind({
  name: 'collect-due',
  cron: '20 * * * *',
  atStart: true,
  retryLimit: 3,
  retryDelay: 120,
  expireInSeconds: 3600,
});

/** Collects one statement at once: there is a new card, or an admin wants it. */
export const collectStatementJob = jobKind<{ developerId: string; statementId: string }>({
  name: 'collect-statement',
  retryLimit: 3,
  retryDelay: 60,
  expireInSeconds: 900,
});

interface Dependencies {
  db: BillingDb;
  clock: Clock;
  jobs: Jobs;
  log: Logger;
  metrics: Metrics;
  payments: Payments | null;
  invoices: StripeInvoices | null;
  outcomes: Outcomes;
  sync: CardSync;
  hold: CollectionHold;
}

/** Why a charge failed. */
type Why = Pick<PaymentError, 'reason' | 'message'>;

const CARDLESS: Why = { reason: NO_CARD, message: 'There is no card on file.' };
const LOCKED_OUT = 'Stripe does not accept STRIPE_SECRET_KEY, so nothing can be collected';

/** The result of a statement's turn; `later`: Stripe did not answer, and nothing is known. */
type Turn = 'paid' | 'failed' | 'given up' | 'later' | 'skipped';

export interface CollectionReport {
  paid: number;
  /** Charges that were declined, and statements that were given up. */
  failed: number;
  /** Could not be worked on; the next run tries them again. */
  later: number;
  /** Statements that another run holds, or one that was killed. */
  held: { count: number; until: Date | null };
  /** Since when nothing is charged, because the database was set back and no admin has looked yet. */
  onHold?: Date;
}

/** Longer than the calls of one statement may take. */
const LEASE = 15 * MINUTE;
const PAGE = 200;
/** One call that looks for many has to spare at least so many that look for one. */
const WORTH = 10;

/** Collects statements: one invoice and one charge for each, however often it is tried. */
export class Collection {
  readonly #deps: Dependencies;

  readonly #failures: Counter<'reason'>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#failures = collectionFigures(deps);
  }

  /**
   * Everything that is due, several at once.
   * @param longest milliseconds after which the rest is left to the next run.
   */
  async run(longest: number = LONGEST): Promise<CollectionReport> {
    const { db, clock, payments } = this.#deps;
    const report: CollectionReport = { paid: 0, failed: 0, later: 0, held: { count: 0, until: null } };
    if (!payments) return report;
    const hold = await this.#deps.hold.current();
    if (hold) return { ...report, onHold: hold.since };
    const begun = clock.now();
    const until = begun.getTime() + longest;
    const invoiced = await this.#invoiced(payments, begun);
    const tried = new Set<string>();
    // a long run also ends what another one had in hand that was killed before
    while ((await this.#pass(report, tried, until, invoiced)) > 0);
    report.held = await dueHeld(db, clock.now());
    return report;
  }

  /** All that is due now, but for what this run could not work on before. @returns how many it has worked on. */
  async #pass(
    report: CollectionReport,
    tried: Set<string>,
    until: number,
    invoiced: ReadonlySet<string> | null,
  ): Promise<number> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    let worked = 0;
    for (let last: StatementKey | undefined; clock.now().getTime() < until; ) {
      const page = await dueStatements(db, now, last, PAGE);
      const waiting = page.filter(({ id }) => !tried.has(id));
      const work = async () => {
        for (let key = waiting.shift(); key; key = waiting.shift()) {
          const turn = await this.collect(key, invoiced);
          count(report, turn);
          if (turn !== 'skipped') worked += 1;
          if (turn === 'later') tried.add(key.id);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      last = page.at(-1);
      if (page.length < PAGE) break;
    }
    return worked;
  }

  /**
   * Looks up the invoices of all statements at once when many are due for the first time. A database that was set back
   * has forgotten these invoices. Null: each is looked for.
   */
  async #invoiced(payments: Payments, now: Date): Promise<ReadonlySet<string> | null> {
    const { db, log } = this.#deps;
    const { count: n, first } = await dueUntouched(db, now);
    if (first === null) return null;
    // as Stripe's clock may have it
    const since = new Date(first.getTime() - DAY);
    return payments.invoicedSince(since, Math.floor(n / WORTH)).catch((err) => {
      log.warn({ err }, 'the invoices that were there before were not read, so each is looked for');
      return null;
    });
  }

  /** The job. @throws when something could not be worked on, so that it is tried again soon. */
  async runJob(): Promise<void> {
    const { later, onHold } = await this.run();
    if (onHold) this.#deps.log.warn({ since: onHold }, 'nothing is charged until an admin releases the collection');
    if (later > 0) throw new Error(`${later} statements could not be collected`);
  }

  /** @param invoiced the statements that had an invoice when this run began; null: each is looked for. */
  async collect(key: StatementKey, invoiced: ReadonlySet<string> | null = null): Promise<Turn> {
    const { db, clock, log, payments, invoices } = this.#deps;
    if (!payments || !invoices) return 'skipped';
    const now = clock.now();
    const statement = await leaseStatement(db, key, now, new Date(now.getTime() + LEASE));
    if (!statement) return 'skipped';
    let error: string | null = null;
    try {
      return await this.#turn(payments, invoices, statement, invoiced);
    } catch (cause) {
      error = (cause as Error).message;
      this.#failures.inc({ reason: isPaymentError(cause) ? cause.kind : 'other' });
      const words = isPaymentError(cause, 'unauthorized') ? LOCKED_OUT : 'a statement could not be collected';
      log.error({ err: cause, statement: key.id, developer: key.developer_id }, words);
      return 'later';
    } finally {
      await endStatementLease(db, statement, error);
    }
  }

  async #turn(
    payments: Payments,
    invoices: StripeInvoices,
    statement: DueStatement,
    invoiced: ReadonlySet<string> | null,
  ): Promise<Turn> {
    const { db, clock, outcomes } = this.#deps;
    const { first_failed_at: failedAt } = statement;
    const before = await customerRow(db, statement.developer_id);
    const account = await db
      .selectFrom('users')
      .select(sql<boolean>`deleted_at is not null`.as('gone'))
      .where('id', '=', statement.developer_id)
      .executeTakeFirst();
    // nobody can enter a card any more
    if (account?.gone && !before?.payment_method_id && !statement.stripe_invoice_id) {
      await outcomes.failed(statement, { reason: null, message: 'The account was deleted without a card on file.' });
      await outcomes.givenUp(statement, null);
      return 'given up';
    }
    const invoice = await invoices.finalized(statement, invoiced);
    if (await outcomes.apply(statement, invoice)) return invoice.status === 'paid' ? 'paid' : 'given up';
    // an admin may have one charged that was given up
    if (invoice.status === 'uncollectible') await outcomes.takenUp(statement);
    if (statement.state === 'failed' && failedAt && givenUpAt(failedAt) <= clock.now())
      return this.#giveUp(payments, statement, invoice);
    await noteOpen(db, statement);
    const customer = await customerRow(db, statement.developer_id);
    const card = customer?.payment_method_id ?? null;
    // a card pays the invoices of its own customer alone
    const isAnothers = card !== null && invoice.customerId !== customer?.stripe_customer_id;
    const payable = isAnothers ? await invoices.moved(statement, invoice) : invoice;
    if (isAnothers && (await outcomes.apply(statement, payable))) return 'paid';
    return this.#pay(payments, statement, payable, { card, gone: account?.gone });
  }

  async #pay(
    payments: Payments,
    statement: DueStatement,
    invoice: PaymentInvoice,
    { card, gone }: { card: string | null; gone: boolean | undefined },
  ): Promise<Turn> {
    const { clock, outcomes } = this.#deps;
    const attempt = statement.attempts + 1;
    let failed: Awaited<ReturnType<Outcomes['failed']>>;
    try {
      if (!card) failed = await outcomes.failed(statement, CARDLESS);
      else {
        const key = ['statement', statement.id, 'pay', attempt, card, hourOf(clock.now())].join(':');
        const paid = await payments.payInvoice(invoice.id, card, key);
        if (await outcomes.apply(statement, paid)) return paid.status === 'paid' ? 'paid' : 'given up';
        throw new PaymentError('unavailable', `Stripe left the invoice ${paid.status}.`);
      }
    } catch (error) {
      if (!isPaymentError(error, 'declined', 'refused', 'missing')) throw error;
      // whatever was answered, what Stripe has now is what counts
      const after = await payments.invoice(invoice.id);
      if (after?.status === 'paid' && (await outcomes.apply(statement, after))) return 'paid';
      failed = await outcomes.failed(statement, await this.#whyOfCard(statement, card, error));
    }
    // however late it is, a card that came meanwhile is tried
    if (failed === 'again') return 'failed';
    return gone || failed === 'over' ? this.#giveUp(payments, statement, invoice) : 'failed';
  }

  /** Why the card made a charge fail. @throws the error when the cause is not the card: an error of ours. */
  async #whyOfCard(
    { developer_id: developerId }: StatementKey,
    card: string | null,
    error: PaymentError,
  ): Promise<Why> {
    if (error.kind === 'declined') return error;
    const { db, sync } = this.#deps;
    const isKnown = await sync.run(developerId);
    const now = (await customerRow(db, developerId))?.payment_method_id ?? null;
    if (isKnown && now === null) return CARDLESS;
    if ((isKnown && now !== card) || isAboutCard(error.reason)) return error;
    throw error;
  }

  async #giveUp(payments: Payments, statement: DueStatement, invoice: PaymentInvoice): Promise<Turn> {
    if (invoice.status === 'open') await payments.giveUpInvoice(invoice.id);
    await this.#deps.outcomes.givenUp(statement, null);
    return 'given up';
  }

  /** Tries unpaid statements again at once, in the transaction that notes another card. */
  async onNewCard(tx: BillingHandle, developerId: string): Promise<void> {
    const { clock, jobs } = this.#deps;
    const ids = await dueAgain(tx, developerId, clock.now());
    await jobs.enqueueAll(
      tx,
      collectStatementJob,
      ids.map((statementId) => ({ developerId, statementId })),
    );
  }

  /** The job. */
  async runOne({ developerId, statementId }: { developerId: string; statementId: string }): Promise<void> {
    const { db, clock, hold } = this.#deps;
    // it stays due
    if (await hold.current()) return;
    const key = { developer_id: developerId, id: statementId };
    const turn = await this.collect(key);
    // the process that has it now may have begun with the previous card
    const again = turn === 'later' || (turn === 'skipped' && (await isLeased(db, key, clock.now())));
    if (again) throw new Error('the statement could not be collected');
  }

  /** Notes which of a developer's invoices are paid at Stripe, though the answer that reported it was lost. */
  async notePaid(developerId: string): Promise<void> {
    const { db, payments, outcomes } = this.#deps;
    for (const statement of await statementsInHand(db, developerId)) {
      const invoice = await payments?.invoice(statement.stripe_invoice_id ?? '');
      if (invoice?.status === 'paid') await outcomes.apply(statement, invoice);
    }
  }

  /** Applies what Stripe has for an invoice. @returns false when it is none of ours. */
  async look(invoiceId: string): Promise<boolean> {
    const { db, payments, outcomes } = this.#deps;
    // most events are about what was collected here a moment ago
    if (await isPaid(db, invoiceId)) return true;
    const invoice = await payments?.invoice(invoiceId);
    if (!invoice?.statementId || !invoice.developerId) return false;
    if (!isId(invoice.statementId) || !isId(invoice.developerId)) return false;
    const statement = await readStatement(db, { developer_id: invoice.developerId, id: invoice.statementId });
    // before one is noted, only a payment counts: a second invoice is taken away at that time
    const ownInvoiceId = statement?.stripe_invoice_id ?? (invoice.status === 'paid' ? invoice.id : null);
    if (!statement || ownInvoiceId !== invoice.id) return false;
    // that of a customer who was deleted is made anew for the one of now; collection finds out which of the two it is
    if (invoice.status === 'void' && !(await this.#isOfCustomer(statement, invoice))) return true;
    await outcomes.apply(statement, invoice);
    return true;
  }

  async #isOfCustomer({ developer_id }: DueStatement, { customerId }: PaymentInvoice): Promise<boolean> {
    return (await customerRow(this.#deps.db, developer_id))?.stripe_customer_id === customerId;
  }
}

function count(report: CollectionReport, turn: Turn): void {
  if (turn === 'paid') report.paid += 1;
  if (turn === 'failed' || turn === 'given up') report.failed += 1;
  if (turn === 'later') report.later += 1;
}
