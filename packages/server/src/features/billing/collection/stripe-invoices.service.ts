import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/log.ts';
import { monthName } from '../../../platform/paper/words.ts';
import {
  isPaymentError,
  PaymentError,
  type PaymentInvoice,
  type Payments,
} from '../../../platform/payments/payments.ts';
import type { StripeCustomers } from '../cards/stripe-customers.ts';
import { hourOf } from '../hour.ts';
import { theOne } from './collection-rules.ts';
import { type DueStatement, linesOfStatement, noteInvoice } from './due.queries.ts';

interface Dependencies {
  db: Database;
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

  /** The invoice with all its lines, finalized: open, or whatever has become of it since. */
  async finalized(statement: DueStatement): Promise<PaymentInvoice> {
    const found = await this.find(statement);
    const invoice = found ?? (await this.#create(statement));
    if (invoice.id !== statement.stripe_invoice_id) await noteInvoice(this.#deps.db, statement, invoice.id);
    if (invoice.status !== 'draft') return invoice;
    await this.#complete(statement, invoice, found !== null);
    return this.#finalize(statement, invoice.id);
  }

  /** By its id, or by the statement's on it. Others for the same statement are taken away. */
  async find(statement: DueStatement): Promise<PaymentInvoice | null> {
    const { payments, customers, db, log } = this.#deps;
    const { stripe_invoice_id: stored } = statement;
    const known = stored ? await payments.invoice(stored) : null;
    if (known && known.status !== 'draft') return known;
    const customerId = await customers.known(db, statement.developer_id);
    if (!customerId) return known;
    const all = await payments.invoicesOf(customerId, statement.id);
    const one = theOne(all, stored);
    for (const other of all) {
      if (other.id === one?.id) continue;
      log.error(
        { statement: statement.id, invoice: other.id, status: other.status },
        'a second invoice for a statement',
      );
      if (other.status === 'draft') await payments.deleteDraft(other.id);
      if (other.status === 'open') await payments.voidInvoice(other.id);
    }
    return one ?? known;
  }

  async #create(statement: DueStatement): Promise<PaymentInvoice> {
    const { payments, customers } = this.#deps;
    const { id, developer_id: developerId, number, month } = statement;
    const description = `Tonerow ${monthName(month)} (UTC), ${number}`;
    const make = (customerId: string) =>
      payments.createInvoice(
        { customerId, developerId, statementId: id, description },
        this.#key(id, 'invoice', customerId),
      );
    const customerId = await customers.ensure(developerId, null, statement.party);
    try {
      return await make(customerId);
    } catch (error) {
      if (!(isPaymentError(error) && error.reason === 'resource_missing')) throw error;
      // deleted on Stripe's own pages
      return make(await customers.ensure(developerId, customerId, statement.party));
    }
  }

  /** Adds the lines that are missing. A draft that is not ours in every cent is thrown away, to be made anew. */
  async #complete(statement: DueStatement, invoice: PaymentInvoice, look: boolean): Promise<void> {
    const { db, payments } = this.#deps;
    const lines = await linesOfStatement(db, statement);
    const there = new Set(look ? (await payments.linesOf(invoice.id)).map(({ n }) => n) : []);
    for (const { n, description, amount_cents: amount } of lines) {
      if (there.has(n)) continue;
      const into = { id: invoice.id, customerId: invoice.customerId ?? '' };
      await payments.addLine(into, { n, description, amount }, this.#key(statement.id, 'line', invoice.id, String(n)));
    }
    const now = await payments.invoice(invoice.id);
    if (now?.status === 'draft' && now.total === statement.total_cents) return;
    if (now?.status === 'draft') await payments.deleteDraft(invoice.id);
    throw new PaymentError('unavailable', `The draft had ${now?.total} cents instead of ${statement.total_cents}.`);
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
