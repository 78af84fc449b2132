import type { Params } from './form.ts';
import { metadataIn, need, oneOf, textIn, wholeNumber } from './parameters.ts';
import { declined, invalid, noSuch } from './refusals.ts';
import { sinceOf } from './since.ts';
import type { Behavior, Store, StoredCard, StoredCustomer, StoredSetup } from './store.ts';

/** The behavior of Stripe's own test cards: at their confirmation, and when they are charged later. */
interface TestCard {
  number: string;
  brand: string;
  charge: Behavior;
  refusedAtOnce?: string;
  /** The bank has a question before the card is saved. */
  asks?: true;
}

const TEST_CARDS: Record<string, TestCard> = {
  pm_card_visa: { number: '4242424242424242', brand: 'visa', charge: 'ok' },
  pm_card_mastercard: { number: '5555555555554444', brand: 'mastercard', charge: 'ok' },
  pm_card_amex: { number: '378282246310005', brand: 'amex', charge: 'ok' },
  pm_card_chargeCustomerFail: { number: '4000000000000341', brand: 'visa', charge: 'generic_decline' },
  pm_card_authenticationRequired: { number: '4000002760003184', brand: 'visa', charge: 'authentication_required' },
  pm_card_threeDSecure2Required: { number: '4000000000003220', brand: 'visa', charge: 'ok', asks: true },
  pm_card_chargeDeclined: {
    number: '4000000000000002',
    brand: 'visa',
    charge: 'ok',
    refusedAtOnce: 'Your card was declined.',
  },
  pm_card_chargeDeclinedExpiredCard: {
    number: '4000000000000069',
    brand: 'visa',
    charge: 'ok',
    refusedAtOnce: 'Your card has expired.',
  },
};

export class Cards {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  createCustomer(params: Params): StoredCustomer {
    refuseNoAddress(textIn(params, 'email'));
    const customer: StoredCustomer = {
      id: this.#store.id('cus'),
      object: 'customer',
      email: textIn(params, 'email') ?? null,
      name: textIn(params, 'name') ?? null,
      balance: params.balance === undefined ? 0 : wholeNumber(params, 'balance'),
      created: this.#store.seconds,
      livemode: false,
      metadata: metadataIn(params),
      invoice_settings: { default_payment_method: null },
    };
    this.#store.customers.set(customer.id, customer);
    return customer;
  }

  customer(id: string): StoredCustomer | { id: string; object: 'customer'; deleted: true } {
    const customer = this.#store.customers.get(id);
    if (!customer) throw noSuch('customer', id);
    return customer.deleted ? { id, object: 'customer', deleted: true } : customer;
  }

  /** Newest first, without those that were deleted. Addresses are compared to the letter. */
  customers(params: Params): StoredCustomer[] {
    const email = textIn(params, 'email');
    const since = sinceOf(params.created);
    return [...this.#store.customers.values()]
      .filter((each) => !each.deleted && each.created >= since && (email === undefined || each.email === email))
      .reverse();
  }

  living(id: string, param = 'id'): StoredCustomer {
    const customer = this.#store.customers.get(id);
    if (!customer || customer.deleted) throw noSuch('customer', id, param);
    return customer;
  }

  updateCustomer(id: string, params: Params): StoredCustomer {
    const customer = this.living(id);
    refuseNoAddress(textIn(params, 'email'));
    const settings = params.invoice_settings;
    if (settings !== undefined) {
      if (typeof settings === 'string' || Object.keys(settings).some((name) => name !== 'default_payment_method'))
        throw invalid('Received unknown parameter: invoice_settings', { code: 'parameter_unknown' });
      const card = need(settings, 'default_payment_method');
      this.#attached(card, id);
      customer.invoice_settings.default_payment_method = card;
    }
    customer.email = textIn(params, 'email') ?? customer.email;
    customer.name = textIn(params, 'name') ?? customer.name;
    Object.assign(customer.metadata, metadataIn(params));
    this.#store.note('customer.updated', customer);
    return customer;
  }

  deleteCustomer(id: string) {
    const customer = this.living(id);
    customer.deleted = true;
    customer.invoice_settings.default_payment_method = null;
    for (const card of this.#store.cards.values()) if (card.customer === id) card.customer = null;
    // finalized invoices stay: they can be voided and given up, and nobody can pay them
    for (const invoice of this.#store.invoices.values())
      if (invoice.customer === id && invoice.status === 'draft') this.#store.invoices.delete(invoice.id);
    for (const item of this.#store.items.values())
      if (item.customer === id && !this.#store.invoices.has(item.invoice ?? '')) this.#store.items.delete(item.id);
    this.#store.note('customer.deleted', customer);
    return { id, object: 'customer', deleted: true };
  }

  createSetup(params: Params): StoredSetup {
    const customer = this.living(need(params, 'customer'), 'customer').id;
    const types = params.allowed_payment_method_types;
    if (types !== undefined && params.automatic_payment_methods !== undefined)
      throw invalid('You may only specify one of allowed_payment_method_types and automatic_payment_methods.');
    if (typeof types === 'string') throw invalid('Invalid array', { param: 'allowed_payment_method_types' });
    const unknown = Object.values(types ?? {}).find((each) => each !== 'card');
    if (unknown !== undefined || (types !== undefined && Object.keys(types).length === 0))
      throw invalid('Invalid allowed_payment_method_types.', { param: 'allowed_payment_method_types' });
    const usage = oneOf(params, 'usage', ['off_session', 'on_session']);
    const id = this.#store.id('seti');
    const setup: StoredSetup = {
      id,
      object: 'setup_intent',
      client_secret: `${id}_secret_${this.#store.id('s')}`,
      customer,
      created: this.#store.seconds,
      livemode: false,
      status: 'requires_payment_method',
      usage: usage ?? 'off_session',
      payment_method: null,
      allowed_payment_method_types: Object.values(types ?? { 0: 'card' }) as string[],
      last_setup_error: null,
      metadata: metadataIn(params),
    };
    this.#store.setups.set(id, setup);
    return setup;
  }

  setup(id: string): StoredSetup {
    const setup = this.#store.setups.get(id);
    if (!setup) throw noSuch('setupintent', id);
    return setup;
  }

  /** Confirms a setup as the browser does with the client secret. */
  confirm(id: string, params: Params, publishable: boolean): StoredSetup {
    const setup = this.setup(id);
    if (publishable && textIn(params, 'client_secret') !== setup.client_secret)
      throw invalid('The client_secret provided does not match any associated SetupIntent on this account.', {
        code: 'setup_intent_invalid_parameter',
      });
    this.living(setup.customer, 'customer');
    if (setup.status !== 'requires_payment_method')
      throw invalid(`You cannot confirm this SetupIntent because it has a status of ${setup.status}.`, {
        code: 'setup_intent_unexpected_state',
      });
    const token = textIn(params, 'payment_method') ?? tokenOf(params, publishable);
    const entry = TEST_CARDS[token];
    if (!entry) throw noSuch('PaymentMethod', token, 'payment_method');
    if (entry.refusedAtOnce) {
      const code = token.endsWith('ExpiredCard') ? 'expired_card' : 'card_declined';
      setup.last_setup_error = { type: 'card_error', code, message: entry.refusedAtOnce };
      this.#store.note('setup_intent.setup_failed', setup);
      throw declined(entry.refusedAtOnce, code, { setup_intent: setup });
    }
    const card = this.#newCard(entry, entry.asks ? null : setup.customer);
    setup.payment_method = card.id;
    if (entry.asks) setup.status = 'requires_action';
    else this.#succeeded(setup, card);
    return setup;
  }

  /** Gives the cardholder's answer to the bank. */
  authenticate(id: string, confirmed: boolean): StoredSetup {
    const setup = this.setup(id);
    if (setup.status !== 'requires_action' || setup.payment_method === null)
      throw invalid(`This SetupIntent has a status of ${setup.status}.`, { code: 'setup_intent_unexpected_state' });
    if (confirmed) {
      const card = this.card(setup.payment_method);
      card.customer = setup.customer;
      this.#succeeded(setup, card);
      return setup;
    }
    const message =
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.';
    const code = 'setup_intent_authentication_failure';
    setup.status = 'requires_payment_method';
    setup.payment_method = null;
    setup.last_setup_error = { type: 'invalid_request_error', code, message };
    this.#store.note('setup_intent.setup_failed', setup);
    throw invalid(message, { code });
  }

  #succeeded(setup: StoredSetup, card: StoredCard): void {
    setup.status = 'succeeded';
    this.#store.note('payment_method.attached', card);
    this.#store.note('setup_intent.succeeded', setup);
  }

  #newCard(entry: TestCard, customer: string | null): StoredCard {
    const card: StoredCard = {
      id: this.#store.id('pm'),
      object: 'payment_method',
      type: 'card',
      customer,
      card: { brand: entry.brand, last4: entry.number.slice(-4), exp_month: 12, exp_year: 2034 },
      created: this.#store.seconds,
      livemode: false,
      metadata: {},
    };
    this.#store.cards.set(card.id, card);
    this.#store.behaviors.set(card.id, entry.charge);
    return card;
  }

  card(id: string): StoredCard {
    const card = this.#store.cards.get(id);
    if (!card) throw noSuch('PaymentMethod', id);
    return card;
  }

  attach(): never {
    throw invalid(
      'This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.',
    );
  }

  detach(id: string): StoredCard {
    const card = this.card(id);
    if (card.customer === null)
      throw invalid('The payment method you provided is not attached to a customer so detachment is impossible.');
    const owner = this.#store.customers.get(card.customer);
    if (owner?.invoice_settings.default_payment_method === id) owner.invoice_settings.default_payment_method = null;
    card.customer = null;
    this.#store.note('payment_method.detached', card);
    return card;
  }

  #attached(id: string, customer: string): void {
    const card = this.#store.cards.get(id);
    if (!card) throw noSuch('PaymentMethod', id, 'invoice_settings[default_payment_method]');
    if (card.customer !== customer)
      throw invalid(`The customer does not have a payment method with the ID ${id}.`, { code: 'resource_missing' });
  }
}

function refuseNoAddress(email: string | undefined): void {
  if (email !== undefined && !/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(email))
    throw invalid(`Invalid email address: ${email}`, { code: 'email_invalid', param: 'email' });
}

/** A number comes from Stripe's own form in a browser only. */
function tokenOf(params: Params, publishable: boolean): string {
  const data = params.payment_method_data;
  if (data === undefined || typeof data === 'string') throw invalid('Missing required param: payment_method.');
  if (!publishable)
    throw declined('Sending credit card numbers directly to the Stripe API is generally unsafe.', 'invalid_request');
  const card = data.card;
  if (card === undefined || typeof card === 'string')
    throw invalid('Missing required param: payment_method_data[card].');
  const number = need(card, 'number').replaceAll(' ', '');
  const known = Object.entries(TEST_CARDS).find(([, entry]) => entry.number === number);
  if (!known) throw declined('Your card number is incorrect.', 'incorrect_number');
  return known[0];
}
