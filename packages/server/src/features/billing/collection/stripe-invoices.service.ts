import type { Clock } from '#platform/clock.ts';
import type { Logger } from '#platform/log.ts';
import { isPaymentError, PaymentError, type PaymentInvoice, type Payments } from '#platform/payments/payments.ts';
import { shortMonth } from '#platform/time/months.ts';
import type { StripeCustomers } from '../cards/stripe-customers.ts';
import { hourOf } from '../hour.ts';
import { linesOf } from '../statements/statements.queries.ts';
import type { BillingDb } from '../tables.ts';
import { describe, isFor, mayCollect, theOne } from './collection-rules.ts';
import { type DueStatement, noteInvoice } from './due.queries.ts';

interface Dependencies {
  db: BillingDb;
  clock: Clock;
  log: Logger;
  payments: Payments;
  customers: StripeCustomers;
}

/**
 * The one invoice of a statement. Whatever happened to earlier tries, it is looked for before it is made, and completed before
 * it is finalized; the keys keep two tries within an hour from making it twice.
 */
export class StripeInvoices {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * The invoice with all its lines, finalized: open, or whatever has become of it since.
   * @param invoiced the statements, months and developers that had an invoice when this was looked up for many at once.
   */
  async finalized(statement: DueStatement, invoiced: ReadonlySet<string> | null): Promise<PaymentInvoice> {
    // a process that has worked on it since then has left a trace
    const isNew =
      statement.untouched &&
      invoiced !== null &&
      ![statement.id, statement.developer_id, monthOf(statement)].some((key) => invoiced.has(key));
    const found = isNew ? null : await this.find(statement);
    // a process died while it moved it
    const moved = found?.status === 'void' ? await this.#elsewhere(statement, found) : null;
    const invoice = moved ?? found ?? (await this.#create(statement));
    try {
      return await this.#noted(statement, invoice);
    } catch (error) {
      if (!isResourceMissing(error) || !(await this.#hasNoCustomer(invoice))) throw error;
      // deleted on Stripe's own pages while this was at it, with its drafts
      await this.#deps.payments.deleteDraft(invoice.id);
      return this.#noted(statement, await this.#create(statement, invoice.customerId));
    }
  }

  /**
   * The invoice of a customer that was deleted at Stripe, which nobody can pay any more, made anew for the developer's customer
   * of now. The old one is void before the new one can be paid.
   */
  async moved(statement: DueStatement, old: PaymentInvoice): Promise<PaymentInvoice> {
    const invoice = (await this.#elsewhere(statement, old)) ?? (await this.#create(statement));
    if (invoice.status === 'draft') await this.#complete(statement, invoice);
    await this.#deps.payments.voidInvoice(old.id);
    return this.#noted(statement, invoice);
  }

  /** The one that was made for the developer's customer of now, if that is another one. */
  async #elsewhere(statement: DueStatement, { customerId }: PaymentInvoice): Promise<PaymentInvoice | null> {
    const { customers, db } = this.#deps;
    const known = await customers.known(db, statement.developer_id);
    if (!known || known === customerId) return null;
    return this.#ofCustomer(statement, known);
  }

  async #hasNoCustomer({ customerId }: PaymentInvoice): Promise<boolean> {
    return customerId === null || (await this.#deps.payments.customer(customerId)) === null;
  }

  /** Notes the invoice, and completes a draft with all its lines and finalizes it. */
  async #noted(statement: DueStatement, invoice: PaymentInvoice): Promise<PaymentInvoice> {
    if (invoice.id !== statement.stripe_invoice_id) await noteInvoice(this.#deps.db, statement, invoice.id);
    if (invoice.status !== 'draft') return invoice;
    await this.#complete(statement, invoice);
    return this.#finalize(statement, invoice.id);
  }

  /**
   * Finds the invoice by its id, by the statement's id on it, or by developer and month: an invoice that was made
   * before the database was set back is taken over. Others for the same month are taken away.
   */
  async find(statement: DueStatement): Promise<PaymentInvoice | null> {
    const { payments, customers } = this.#deps;
    const { stripe_invoice_id: stored } = statement;
    const known = stored ? await payments.invoice(stored) : null;
    if (known && known.status !== 'draft') return known;
    const customerId = await customers.found(statement.developer_id, statement.party);
    if (!customerId) return known;
    const here = await this.#ofCustomer(statement, customerId);
    if (here && here.status !== 'void') return here;
    // canceled, or made again for another customer, which a restored database does not have
    const other = here && (await customers.successor(statement.developer_id, statement.party, customerId));
    return (other ? await this.#ofCustomer(statement, other) : null) ?? here ?? known;
  }

  /** The one of a customer's invoices that is for the statement. */
  async #ofCustomer(statement: DueStatement, customerId: string): Promise<PaymentInvoice | null> {
    const { payments } = this.#deps;
    const all = (await payments.invoicesOf(customerId)).filter((each) => isFor(each, statement));
    const usable = all.filter((each) => mayCollect(each, statement));
    // its own come first
    usable.sort((a, b) => Number(b.statementId === statement.id) - Number(a.statementId === statement.id));
    const one = theOne(usable, statement.stripe_invoice_id);
    for (const other of all) if (other !== one) await this.#takeAway(statement, other);
    return one && one.statementId !== statement.id ? this.#takeOver(statement, one) : (one ?? null);
  }

  async #takeAway(statement: DueStatement, { id, status, statementId }: PaymentInvoice): Promise<void> {
    const { payments, log } = this.#deps;
    const facts = { statement: statement.id, invoice: id, status };
    if (statementId === statement.id) log.error(facts, 'a second invoice for a statement');
    if (status === 'draft') await payments.deleteDraft(id);
    if (status !== 'open') return;
    if (statementId !== statement.id) {
      log.warn(facts, 'an invoice of before the database was set back is replaced');
      // the word comes first: one that is void without it was canceled
      await payments.noteOnInvoice(id, 'replaced');
    }
    await payments.voidInvoice(id);
  }

  async #takeOver(statement: DueStatement, { id, statementId, status }: PaymentInvoice): Promise<PaymentInvoice> {
    const { payments, log } = this.#deps;
    log.warn(
      { statement: statement.id, invoice: id, was: statementId, status },
      'an invoice of before the database was set back is taken over',
    );
    return payments.noteOnInvoice(id, { statementId: statement.id, month: shortMonth(statement.month) });
  }

  /** @param gone the customer that is no more: under its key, Stripe would answer with what it made for it. */
  async #create(statement: DueStatement, gone: string | null = null): Promise<PaymentInvoice> {
    const { payments, customers } = this.#deps;
    const { id, developer_id: developerId, number, month } = statement;
    const description = describe(month, number);
    const make = (customerId: string) =>
      payments.createInvoice(
        { customerId, developerId, statementId: id, month: shortMonth(month), number, description },
        this.#key(id, 'invoice', customerId),
      );
    const customerId = await customers.ensure(developerId, gone, statement.party);
    try {
      return await make(customerId);
    } catch (error) {
      if (!isResourceMissing(error)) throw error;
      // deleted on Stripe's own pages
      return make(await customers.ensure(developerId, customerId, statement.party));
    }
  }

  /**
   * Adds the lines, which takes one call, so that a draft has all of them or none. One that is not ours in every cent is thrown
   * away, to be made anew.
   */
  async #complete(statement: DueStatement, draft: PaymentInvoice): Promise<void> {
    const { db, payments } = this.#deps;
    let { total } = draft;
    if (draft.isEmpty) {
      const lines = (await linesOf(db, statement)).map(({ n, description, amount_cents: amount }) => ({
        n,
        description,
        amount,
      }));
      ({ total } = await payments.addLines(draft.id, lines, this.#key(statement.id, 'lines', draft.id)));
    }
    if (total === statement.total_cents) return;
    await payments.deleteDraft(draft.id);
    throw new PaymentError('unavailable', `The draft had ${total} cents instead of ${statement.total_cents}.`);
  }

  async #finalize(statement: DueStatement, id: string): Promise<PaymentInvoice> {
    const { payments } = this.#deps;
    try {
      return await payments.finalizeInvoice(id, this.#key(statement.id, 'finalize', id));
    } catch (error) {
      // somebody else has finalized it meanwhile
      const now = isPaymentError(error, 'refused') ? await payments.invoice(id) : null;
      if (!now || now.status === 'draft') throw error;
      return now;
    }
  }

  #key(...parts: string[]): string {
    return ['statement', ...parts, hourOf(this.#deps.clock.now())].join(':');
  }
}

const monthOf = ({ developer_id, month }: DueStatement) => `${developer_id} ${shortMonth(month)}`;

/** The object that a call is for, or one that it names, is no more. */
const isResourceMissing = (error: unknown): boolean =>
  isPaymentError(error, 'missing') || (isPaymentError(error, 'refused') && error.reason === 'resource_missing');
