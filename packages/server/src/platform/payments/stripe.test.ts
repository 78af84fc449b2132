import { UNPACED } from '@tonerow/test-support/server.ts';
import { type StripeStandIn, startStripe } from '@tonerow/test-support/stripe/stand-in.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import type { Payments } from './payments.ts';
import { REQUESTS_PER_SECOND, RequestBudget } from './request-budget.ts';
import { stripePayments } from './stripe.ts';

let stripe: StripeStandIn;
let payments: Payments;
beforeAll(async () => {
  stripe = await startStripe();
  const config = readConfig(stripe.env).stripe;
  if (!config) throw new Error('not configured');
  payments = await stripePayments({ ...config, timeout: 1000 }, UNPACED);
});
afterEach(() => stripe.heal());
afterAll(() => stripe.stop());

const A_MONTH = { month: '2026-02', number: '2026-0001', description: 'A month' };

let keys = 0;
const key = () => {
  keys += 1;
  return `key-${keys}`;
};

async function customerWithCard(token?: string) {
  const developerId = `dev-${key()}`;
  const { id } = await payments.createCustomer({ developerId, email: 'a@example.com', name: 'Ada' }, key());
  const setup = await payments.beginCardSetup({ customerId: id, developerId }, key());
  const card = stripe.enterCard(setup.clientSecret, token);
  await payments.useCard(id, card.id);
  return { id, developerId, setup, card };
}

async function draft(customer: { id: string; developerId: string }, amounts: number[]) {
  const invoice = await payments.createInvoice(
    { customerId: customer.id, developerId: customer.developerId, statementId: `st-${key()}`, ...A_MONTH },
    key(),
  );
  const lines = amounts.map((amount, n) => ({ n, description: 'Line', amount }));
  return payments.addLines(invoice.id, lines, key());
}

describe('cards', () => {
  it('are known by what a person recognizes, and only of the customer that has entered them', async () => {
    const { id, developerId, setup, card } = await customerWithCard();
    expect(await payments.cardSetup(setup.id)).toMatchObject({ state: 'succeeded', cardId: card.id, developerId });
    expect(await payments.customer(id)).toEqual({
      id,
      developerId,
      card: { id: card.id, brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034, customerId: id },
    });
    const other = await customerWithCard();
    await expect(payments.useCard(id, other.card.id)).rejects.toMatchObject({
      kind: 'refused',
      reason: 'resource_missing',
    });
  });

  it('are gone once removed, and removing them again is no error', async () => {
    const { id, card } = await customerWithCard();
    await payments.removeCard(card.id);
    await payments.removeCard(card.id);
    await payments.removeCard('pm_unknown');
    expect((await payments.customer(id))?.card).toBeNull();
    await expect(payments.useCard(id, card.id)).rejects.toMatchObject({ kind: 'refused' });
  });

  it('of unknown and deleted customers are none', async () => {
    const { id } = await customerWithCard();
    Object.assign(stripe.store.customers.get(id) ?? {}, { deleted: true });
    expect(await payments.customer(id)).toBeNull();
    expect(await payments.customer('cus_unknown')).toBeNull();
    expect(await payments.cardSetup('seti_unknown')).toBeNull();
  });
});

describe('invoices', () => {
  it('are made of lines, finalized and paid, and cannot be changed then', async () => {
    const customer = await customerWithCard();
    const { id } = await draft(customer, [1000, 55]);
    expect(await payments.invoice(id)).toMatchObject({ status: 'draft', total: 1055, isEmpty: false });
    expect(await payments.finalizeInvoice(id, key())).toMatchObject({ status: 'open', amountDue: 1055 });
    await expect(payments.addLines(id, [{ n: 3, description: 'Late', amount: 1 }], key())).rejects.toMatchObject({
      kind: 'refused',
      reason: 'invoice_not_editable',
    });
    expect(await payments.payInvoice(id, customer.card.id, key())).toMatchObject({ status: 'paid', amountPaid: 1055 });
    await expect(payments.payInvoice(id, customer.card.id, key())).rejects.toMatchObject({
      reason: 'invoice_already_paid',
    });
  });

  it('get all of their lines or none', async () => {
    const customer = await customerWithCard();
    const { id } = await draft(customer, [1000]);
    const lines = [1, 0.5].map((amount, n) => ({ n, description: 'Line', amount }));
    await expect(payments.addLines(id, lines, key())).rejects.toMatchObject({ kind: 'refused' });
    expect(await payments.invoice(id)).toMatchObject({ total: 1000 });
  });

  it('are found by what they collect, unless there are more to read than is wanted', async () => {
    const begun = new Date();
    const customer = await customerWithCard();
    const made = await draft(customer, [1000]);
    const since = new Date(begun.getTime() - 1000);
    expect([...((await payments.invoicedSince(since, 1)) ?? [])]).toContain(made.statementId);
    expect(await payments.invoicedSince(new Date(begun.getTime() + 60_000), 1)).toEqual(new Set());
    expect(await payments.invoicedSince(since, 0)).toBeNull();
    const stored = stripe.store.invoices.get(made.id);
    for (let n = 0; n < 100; n += 1)
      if (stored)
        stripe.store.invoices.set(`in_more_${n}`, {
          ...stored,
          id: `in_more_${n}`,
          metadata: { statement_id: `st-more-${n}` },
        });
    expect(await payments.invoicedSince(since, 1)).toBeNull();
    expect((await payments.invoicedSince(since, 2))?.size).toBeGreaterThan(100);
  });

  it('below what can be charged are paid at once and added to the next', async () => {
    const customer = await customerWithCard();
    const small = await draft(customer, [49]);
    expect(await payments.finalizeInvoice(small.id, key())).toMatchObject({ status: 'paid', amountDue: 0 });
    const next = await draft(customer, [100]);
    expect(await payments.finalizeInvoice(next.id, key())).toMatchObject({
      status: 'open',
      total: 100,
      amountDue: 149,
    });
  });

  it('are found by the statement that they collect, over any number of pages', async () => {
    const customer = await customerWithCard();
    const since = new Date(Date.now() - 60_000);
    const first = await draft(customer, [100]);
    const statement = (await payments.invoice(first.id))?.statementId as string;
    const stored = stripe.store.invoices.get(first.id);
    if (!stored) throw new Error('the invoice is not there');
    for (let n = 0; n < 101; n += 1) {
      stripe.store.invoices.set(`in_other_${n}`, {
        ...stored,
        id: `in_other_${n}`,
        metadata: {},
      });
    }
    expect((await payments.invoicesOf(customer.id, statement)).map(({ id }) => id)).toEqual([first.id]);
    const found = [];
    for await (const { id } of payments.invoicesSince(since)) found.push(id);
    expect(found).toContain(first.id);
    expect(found).not.toContain('in_other_1');
    for (let n = 0; n < 101; n += 1) stripe.store.invoices.delete(`in_other_${n}`);
  });

  it.each([
    ['pm_card_chargeCustomerFail', 'generic_decline'],
    ['pm_card_authenticationRequired', 'authentication_required'],
  ])('that %s is charged for stay open, and the reason is kept: %s', async (token, reason) => {
    const customer = await customerWithCard(token);
    const { id } = await draft(customer, [500]);
    await payments.finalizeInvoice(id, key());
    const pay = key();
    for (let tries = 0; tries < 2; tries += 1)
      await expect(payments.payInvoice(id, customer.card.id, pay)).rejects.toMatchObject({ kind: 'declined', reason });
    // a decline is kept under its key, so that it was tried once
    expect(stripe.store.charges.filter(({ invoice }) => invoice === id)).toHaveLength(1);
    expect(await payments.giveUpInvoice(id)).toMatchObject({ status: 'uncollectible' });
    expect(await payments.voidInvoice(id)).toMatchObject({ status: 'void' });
  });

  it('are made once under a key, and the key is for those parameters alone', async () => {
    const { id: customerId, developerId } = await customerWithCard();
    const same = key();
    const make = (description: string) =>
      payments.createInvoice({ customerId, developerId, statementId: 'st', ...A_MONTH, description }, same);
    const first = await make('A');
    expect((await make('A')).id).toBe(first.id);
    await expect(make('B')).rejects.toMatchObject({ kind: 'refused' });
    stripe.forgetKeys();
    expect((await make('A')).id).not.toBe(first.id);
  });
});

describe('an answer that does not come', () => {
  it.each(['lost-before', 'lost-after', '500-before', '500-after', 'delayed'] as const)(
    '%s: nothing is known, and the same key makes it no second time',
    async (how) => {
      const { id: customerId, developerId } = await customerWithCard();
      const same = key();
      const make = () => payments.createInvoice({ customerId, developerId, statementId: 'st', ...A_MONTH }, same);
      stripe.fail({ call: 'POST /v1/invoices', how, times: 2 });
      await expect(make()).rejects.toMatchObject({ kind: 'unavailable' });
      stripe.heal();
      // Stripe keeps its own error under the key like any answer
      if (how.startsWith('500')) await expect(make()).rejects.toMatchObject({ kind: 'unavailable' });
      else await make();
      const made = [...stripe.store.invoices.values()].filter(({ customer }) => customer === customerId);
      expect(made).toHaveLength(how === '500-before' ? 0 : 1);
    },
  );

  it('of a server that is away is no answer either', async () => {
    const gone = await startStripe();
    const config = readConfig(gone.env).stripe;
    if (!config) throw new Error('not configured');
    gone.stop();
    const away = await stripePayments(config);
    await expect(away.customer('cus_1')).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

it('two processes that share an account stay within its limit together, and none of their calls is lost', async () => {
  const shared = await startStripe({ perSecond: REQUESTS_PER_SECOND });
  const config = readConfig(shared.env).stripe;
  if (!config) throw new Error('not configured');
  const processes = [await stripePayments(config), await stripePayments(config)];
  const make = (n: number) =>
    processes[n % 2]?.createCustomer({ developerId: `dev-${n}`, email: 'a@example.com', name: 'Ada' }, `shared-${n}`);
  await Promise.all(Array.from({ length: 3 * REQUESTS_PER_SECOND }, (_, n) => make(n)));
  expect(shared.store.customers.size).toBe(3 * REQUESTS_PER_SECOND);
  expect(shared.refused.count, 'they met the limit').toBeGreaterThan(0);
  shared.stop();
});

describe('events', () => {
  const event = {
    id: 'evt_1',
    object: 'event',
    type: 'invoice.paid',
    data: { object: { object: 'invoice', id: 'in_1', customer: 'cus_1' } },
  };
  const now = new Date('2026-03-01T00:00:00Z');

  it('are believed with the signature of the secret, for five minutes', () => {
    const { body, signature } = stripe.signed(event, { at: now });
    const verify = (text: string, header: string, at = now) => payments.verifyEvent(Buffer.from(text), header, at);
    expect(verify(body, signature)).toEqual({
      id: 'evt_1',
      type: 'invoice.paid',
      object: 'invoice',
      objectId: 'in_1',
      customerId: 'cus_1',
    });
    expect(() => verify(body.replace('in_1', 'in_2'), signature)).toThrow(expect.objectContaining({ kind: 'forged' }));
    expect(() => verify(body, '')).toThrow(expect.objectContaining({ kind: 'forged' }));
    expect(() => verify(body, stripe.signed(event, { at: now, secret: 'whsec_other' }).signature)).toThrow(
      expect.objectContaining({ kind: 'forged' }),
    );
    expect(() => verify(body, signature, new Date(now.getTime() + 301_000))).toThrow(
      expect.objectContaining({ kind: 'forged' }),
    );
  });
});

describe('the stand-in refuses what Stripe refuses', () => {
  const post = async (path: string, form: Record<string, string>, headers: Record<string, string> = {}) => {
    const response = await fetch(`${stripe.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${stripe.env.STRIPE_SECRET_KEY}`,
        'stripe-version': '2026-10-28.endive',
        ...headers,
      },
      body: new URLSearchParams(form),
    });
    const body = (await response.json()) as { error: { code?: string; type: string } };
    return [response.status, body.error?.code ?? body.error?.type];
  };

  it('unknown and old parameters, wrong keys, other versions, card numbers from a server', async () => {
    const { id, setup } = await customerWithCard();
    expect(await post('/v1/setup_intents', { customer: id, 'payment_method_types[0]': 'card' })).toEqual([
      400,
      'payment_method_types_no_longer_supported',
    ]);
    expect(await post('/v1/customers', { emali: 'x' })).toEqual([400, 'parameter_unknown']);
    expect(await post('/v1/charges', {})).toEqual([404, 'invalid_request_error']);
    expect(await post('/v1/customers', {}, { authorization: 'Bearer sk_test_other' })).toEqual([
      401,
      'invalid_request_error',
    ]);
    expect(await post('/v1/customers', {}, { 'stripe-version': '2024-06-20' })).toEqual([400, 'invalid_request_error']);
    const open = await payments.beginCardSetup({ customerId: id, developerId: 'd' }, key());
    const number = { 'payment_method_data[card][number]': '4242424242424242', client_secret: open.clientSecret };
    expect((await post(`/v1/setup_intents/${open.id}/confirm`, number))[0]).toBe(402);
    expect(await post(`/v1/setup_intents/${setup.id}/confirm`, { payment_method: 'pm_card_visa' })).toEqual([
      400,
      'setup_intent_unexpected_state',
    ]);
  });

  it('what is too long, in no currency or method it knows, and what it cannot expand', async () => {
    const { id } = await customerWithCard();
    const plain = [400, 'invalid_request_error'];
    expect(await post('/v1/customers', { email: 'nobody' })).toEqual([400, 'email_invalid']);
    expect(await post('/v1/customers', { name: 'x'.repeat(257) })).toEqual([400, 'parameter_invalid_string']);
    expect(await post('/v1/customers', { [`metadata[${'k'.repeat(41)}]`]: '1' })).toEqual(plain);
    expect(await post('/v1/customers', { 'metadata[key]': 'x'.repeat(501) })).toEqual(plain);
    expect(await post('/v1/customers', {}, { 'idempotency-key': 'k'.repeat(256) })).toEqual([400, 'idempotency_error']);
    expect(await post('/v1/customers', { 'expand[0]': 'sources' })).toEqual(plain);
    expect(await post('/v1/setup_intents', { customer: id, usage: 'later' })).toEqual(plain);
    expect(await post('/v1/invoices', { customer: id, currency: 'USD' })).toEqual(plain);
  });

  it('an invoice without lines, and one with more than 250', async () => {
    const { id: customerId, developerId } = await customerWithCard();
    const invoice = { customerId, developerId, statementId: `st-${key()}`, ...A_MONTH };
    const { id } = await payments.createInvoice(invoice, key());
    await expect(payments.finalizeInvoice(id, key())).rejects.toMatchObject({
      kind: 'refused',
      reason: 'invoice_no_customer_line_items',
    });
    const lines = Array.from({ length: 251 }, (_, n) => ({ n, description: 'Line', amount: 1 }));
    await expect(payments.addLines(id, lines, key())).rejects.toMatchObject({ kind: 'refused' });
    expect(await payments.addLines(id, lines.slice(1), key())).toMatchObject({ total: 250 });
  });
});

it('a budget lets calls begin evenly and in their order', async () => {
  const budget = new RequestBudget(100);
  const begun = performance.now();
  const order: number[] = [];
  await Promise.all([1, 2, 3, 4, 5].map((n) => budget.take().then(() => order.push(n))));
  expect(order).toEqual([1, 2, 3, 4, 5]);
  expect(performance.now() - begun).toBeGreaterThan(35);
});

describe('the settings', () => {
  const keysOf = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
  it.each([
    [{ STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, 'set without STRIPE_SECRET_KEY'],
    [{ STRIPE_SECRET_KEY: 'pk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, 'begins with sk_test_'],
    [{ STRIPE_SECRET_KEY: 'sk_test_1' }, 'STRIPE_PUBLISHABLE_KEY'],
    [{ STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, 'same account and mode'],
    [{ ...keysOf, STRIPE_WEBHOOK_SECRET: 'secret' }, 'whsec_'],
    [{ ...keysOf, TONEROW_STRIPE_API_BASE: 'https://evil.example' }, 'this machine'],
    [{ ...keysOf, TONEROW_STRIPE_API_BASE: 'http://127.0.0.1:1/v2' }, 'this machine'],
    [{ ...keysOf, TONEROW_STRIPE_API_BASE: 'nonsense' }, 'this machine'],
    [
      {
        STRIPE_SECRET_KEY: 'sk_live_1',
        STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
        TONEROW_STRIPE_API_BASE: 'http://127.0.0.1:12111',
      },
      'sk_test_',
    ],
  ])('%j is refused at the start', (env, words) => {
    expect(() => readConfig(env)).toThrow(words);
  });

  it('are optional', () => {
    expect(readConfig({}).stripe).toBeUndefined();
    expect(readConfig({ STRIPE_SECRET_KEY: ' ' }).stripe).toBeUndefined();
    expect(readConfig(keysOf).stripe).toMatchObject({ secretKey: 'sk_test_1', webhookSecret: undefined });
  });
});
