import type { Cards } from './cards.ts';
import type { Params } from './form.ts';
import { currencyIn, flag, metadataIn, need, oneOf, refuseLong, textIn, wholeNumber } from './parameters.ts';
import { InvoicePayments } from './payments.ts';
import { invalid, noSuch } from './refusals.ts';
import { sinceOf } from './since.ts';
import type { Store, StoredInvoice, StoredItem } from './store.ts';

/** Below it Stripe charges nothing: the amount waits on the customer's balance. */
const MINIMUM = 50;
/** The parameters of an added line that have an effect here. */
const LINE = ['amount', 'description', 'metadata'];
/** The most lines of an invoice. */
const LINES = 250;
const STATUSES = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const;

export class Invoices {
  readonly #store: Store;
  readonly #cards: Cards;
  readonly payments: InvoicePayments;

  constructor(store: Store, cards: Cards) {
    this.#store = store;
    this.#cards = cards;
    this.payments = new InvoicePayments(store, cards, (invoice, amount) => this.#paid(invoice, amount));
  }

  create(params: Params): StoredInvoice {
    const customer = this.#cards.living(need(params, 'customer'), 'customer').id;
    const behavior = oneOf(params, 'pending_invoice_items_behavior', ['exclude', 'include']) ?? 'exclude';
    const method = oneOf(params, 'collection_method', ['charge_automatically', 'send_invoice']);
    if ((method === 'send_invoice') !== (params.days_until_due !== undefined))
      throw invalid('days_until_due belongs to collection_method=send_invoice.', { param: 'days_until_due' });
    const card = textIn(params, 'default_payment_method');
    if (card !== undefined && this.#store.cards.get(card)?.customer !== customer)
      throw noSuch('PaymentMethod', card, 'default_payment_method');
    const invoice: StoredInvoice = {
      id: this.#store.id('in'),
      object: 'invoice',
      customer,
      currency: currencyIn(params) ?? 'usd',
      status: 'draft',
      description: textIn(params, 'description') ?? null,
      auto_advance: flag(params, 'auto_advance', false),
      total: 0,
      amount_due: 0,
      amount_paid: 0,
      starting_balance: 0,
      attempt_count: 0,
      status_transitions: { finalized_at: null, paid_at: null },
      created: this.#store.seconds,
      livemode: false,
      metadata: metadataIn(params),
    };
    this.#store.invoices.set(invoice.id, invoice);
    if (behavior === 'include')
      for (const item of this.#store.items.values())
        if (item.customer === customer && item.invoice === null) item.invoice = invoice.id;
    return this.#count(invoice);
  }

  one(id: string): StoredInvoice {
    const invoice = this.#store.invoices.get(id);
    if (!invoice) throw noSuch('invoice', id);
    return invoice;
  }

  /** An invoice with the fields that are only answered on request. */
  read(id: string, params: Params): object {
    const invoice = this.one(id);
    if (Object.values(params.expand ?? {}).length === 0) return invoice;
    const payment = this.payments.of(invoice);
    const secret = payment ? { client_secret: payment.client_secret, type: 'payment_intent' } : null;
    return { ...invoice, confirmation_secret: secret };
  }

  update(id: string, params: Params): StoredInvoice {
    const invoice = this.one(id);
    if (invoice.status !== 'draft' && Object.keys(params).some((name) => name !== 'metadata'))
      throw invalid('Finalized invoices can’t be updated in this way', { code: 'invoice_not_editable' });
    invoice.description = textIn(params, 'description') ?? invoice.description;
    Object.assign(invoice.metadata, metadataIn(params));
    return invoice;
  }

  delete(id: string) {
    const invoice = this.one(id);
    if (invoice.status !== 'draft')
      throw invalid('You can only delete draft invoices.', { code: 'invoice_not_editable' });
    this.#store.invoices.delete(id);
    for (const item of this.itemsOf(id)) this.#store.items.delete(item.id);
    return { id, object: 'invoice', deleted: true };
  }

  /** Newest first. */
  list(params: Params): StoredInvoice[] {
    const customer = textIn(params, 'customer');
    // those of a deleted one can still be read
    if (customer !== undefined && !this.#store.customers.has(customer)) throw noSuch('customer', customer, 'customer');
    const status = oneOf(params, 'status', STATUSES);
    const since = sinceOf(params.created);
    return [...this.#store.invoices.values()]
      .filter((each) => customer === undefined || each.customer === customer)
      .filter((each) => (status === undefined || each.status === status) && each.created >= since)
      .reverse();
  }

  addItem(params: Params): StoredItem {
    const customer = this.#cards.living(need(params, 'customer'), 'customer').id;
    const id = textIn(params, 'invoice') ?? null;
    const invoice = id === null ? null : this.one(id);
    if (invoice && invoice.customer !== customer) throw invalid('The invoice belongs to another customer.');
    if (invoice && invoice.status !== 'draft')
      throw invalid('This invoice is no longer editable', { code: 'invoice_not_editable' });
    const item: StoredItem = {
      id: this.#store.id('ii'),
      object: 'invoiceitem',
      customer,
      invoice: id,
      amount: wholeNumber(params, 'amount'),
      currency: currencyIn(params) ?? 'usd',
      description: textIn(params, 'description') ?? null,
      created: this.#store.seconds,
      metadata: metadataIn(params),
    };
    if (invoice && this.itemsOf(invoice.id).length >= LINES)
      throw invalid(`An invoice can have at most ${LINES} lines.`, { param: 'invoice' });
    this.#store.items.set(item.id, item);
    if (invoice) this.#count(invoice);
    return item;
  }

  /** All of them or none. */
  addLines(id: string, params: Params): StoredInvoice {
    const invoice = this.one(id);
    if (invoice.status !== 'draft')
      throw invalid('This invoice is no longer editable', { code: 'invoice_not_editable' });
    const given = typeof params.lines === 'string' ? [] : Object.values(params.lines ?? {});
    const lines = given.map((line): Params => {
      if (typeof line === 'string') throw invalid('Invalid object', { param: 'lines' });
      const unknown = Object.keys(line).find((name) => !LINE.includes(name));
      if (unknown !== undefined)
        throw invalid(`Received unknown parameter: lines[${unknown}]`, { code: 'parameter_unknown', param: 'lines' });
      return { ...line, customer: invoice.customer, invoice: id, currency: invoice.currency };
    });
    if (lines.length === 0)
      throw invalid('Missing required param: lines.', { code: 'parameter_missing', param: 'lines' });
    if (lines.length + this.itemsOf(id).length > LINES)
      throw invalid(`An invoice can have at most ${LINES} lines.`, { param: 'lines' });
    for (const line of lines) {
      wholeNumber(line, 'amount');
      metadataIn(line);
      refuseLong('description', textIn(line, 'description') ?? '');
    }
    for (const line of lines) this.addItem(line);
    return invoice;
  }

  /** An answer, with the lines of each invoice in it: the first ten, as they were added. */
  withLines(body: object): object {
    const answer = body as { object?: string; id?: string; data?: object[]; deleted?: boolean };
    if (answer.object === 'list') return { ...body, data: answer.data?.map((each) => this.withLines(each)) };
    if (answer.object !== 'invoice' || answer.deleted) return body;
    const all = this.itemsOf(answer.id ?? '');
    const data = all.slice(0, 10).map(({ id, amount, currency, description, metadata }) => ({
      id: id.replace('ii_', 'il_'),
      object: 'line_item',
      amount,
      currency,
      description,
      metadata,
      parent: { type: 'invoice_item_details', invoice_item_details: { invoice_item: id } },
    }));
    return {
      ...body,
      lines: { object: 'list', data, has_more: all.length > 10, url: `/v1/invoices/${answer.id}/lines` },
    };
  }

  deleteItem(id: string) {
    const item = this.#store.items.get(id);
    if (!item) throw noSuch('invoiceitem', id);
    const invoice = item.invoice === null ? null : this.one(item.invoice);
    if (invoice && invoice.status !== 'draft')
      throw invalid('This invoice is no longer editable', { code: 'invoice_not_editable' });
    this.#store.items.delete(id);
    if (invoice) this.#count(invoice);
    return { id, object: 'invoiceitem', deleted: true };
  }

  items(params: Params): StoredItem[] {
    const invoice = textIn(params, 'invoice');
    const customer = textIn(params, 'customer');
    return [...this.#store.items.values()]
      .filter((each) => invoice === undefined || each.invoice === invoice)
      .filter((each) => customer === undefined || each.customer === customer)
      .reverse();
  }

  itemsOf(id: string): StoredItem[] {
    return [...this.#store.items.values()].filter((item) => item.invoice === id);
  }

  #count(invoice: StoredInvoice): StoredInvoice {
    invoice.total = this.itemsOf(invoice.id).reduce((sum, { amount }) => sum + amount, 0);
    const { balance } = this.#cards.living(invoice.customer, 'customer');
    invoice.amount_due = Math.max(0, invoice.total + balance);
    return invoice;
  }

  finalize(id: string): StoredInvoice {
    const invoice = this.#count(this.one(id));
    if (invoice.status !== 'draft')
      throw invalid('This invoice is already finalized, you can’t re-finalize a non-draft invoice.', {
        code: 'invoice_not_editable',
      });
    if (this.itemsOf(id).length === 0)
      throw invalid('This invoice has no lines to finalize.', { code: 'invoice_no_customer_line_items' });
    const customer = this.#cards.living(invoice.customer, 'customer');
    const owed = invoice.total + customer.balance;
    invoice.starting_balance = customer.balance;
    invoice.status_transitions.finalized_at = this.#store.seconds;
    if (owed < MINIMUM) {
      // an amount that is too small to charge, or a credit, waits for the next invoice
      customer.balance = owed;
      invoice.amount_due = 0;
      this.#paid(invoice, 0);
      return invoice;
    }
    customer.balance = 0;
    invoice.amount_due = owed;
    invoice.status = 'open';
    this.payments.create(invoice);
    this.#store.note('invoice.finalized', invoice);
    return invoice;
  }

  pay(id: string, params: Params): StoredInvoice {
    const invoice = this.one(id);
    if (invoice.status === 'paid') throw invalid('Invoice is already paid', { code: 'invoice_already_paid' });
    if (invoice.status === 'draft' || invoice.status === 'void')
      throw invalid(`You can’t pay an invoice with the status ${invoice.status}.`, { code: 'invoice_not_payable' });
    const customer = this.#cards.living(invoice.customer, 'customer');
    const given = textIn(params, 'payment_method');
    const cardId = given ?? customer.invoice_settings.default_payment_method;
    if (!cardId)
      throw invalid(
        'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      );
    invoice.attempt_count = Math.max(1, invoice.attempt_count);
    this.payments.charge(invoice, cardId, flag(params, 'off_session', false));
    return invoice;
  }

  #paid(invoice: StoredInvoice, amount: number): void {
    invoice.status = 'paid';
    invoice.amount_paid = amount;
    invoice.status_transitions.paid_at = this.#store.seconds;
    this.#store.note('invoice.paid', invoice);
  }

  void(id: string): StoredInvoice {
    const invoice = this.one(id);
    if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
      throw invalid(`You can only void open and uncollectible invoices. This one is ${invoice.status}.`, {
        code: 'invoice_not_editable',
      });
    invoice.status = 'void';
    // the amount that it took from the balance goes back there
    const customer = this.#store.customers.get(invoice.customer);
    if (customer) customer.balance += invoice.starting_balance;
    this.payments.cancel(invoice);
    this.#store.note('invoice.voided', invoice);
    return invoice;
  }

  giveUp(id: string): StoredInvoice {
    const invoice = this.one(id);
    if (invoice.status !== 'open')
      throw invalid(`You can only mark open invoices as uncollectible. This one is ${invoice.status}.`, {
        code: 'invoice_not_editable',
      });
    invoice.status = 'uncollectible';
    this.#store.note('invoice.marked_uncollectible', invoice);
    return invoice;
  }
}
