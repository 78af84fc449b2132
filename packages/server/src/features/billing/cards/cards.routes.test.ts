import { billingScene } from '@tonerow/test-support/billing.ts';
import { call, type Person, signUp, signUpVerified } from '@tonerow/test-support/http.ts';
import { sharedServer, startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { type StripeStandIn, startStripe } from '@tonerow/test-support/stripe/stand-in.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let server: TestServer;
let stripe: StripeStandIn;
const clock = new TestClock('2026-03-10T12:00:00Z');
beforeAll(async () => {
  stripe = await startStripe({ now: () => clock.now() });
  server = await startServer({ overrides: { clock }, env: stripe.env });
});
afterEach(() => stripe.heal());
afterAll(async () => {
  await server.stop();
  stripe.stop();
});

const { begin, cardOf, addCard, get } = billingScene(() => ({ server, stripe }));

const remove = (person: Person) => call(server, 'DELETE', '/api/billing/payment-method', { token: person.token });
const defaultOf = async (person: Person) => {
  const [row] = await server.db.query<{ id: string }>(
    'select stripe_customer_id as id from billing_customers where developer_id = $1',
    [person.id],
  );
  return stripe.store.customers.get(row?.id ?? '')?.invoice_settings.default_payment_method ?? null;
};

describe('a card', () => {
  it('is entered at Stripe and shown here, without any event of Stripe', async () => {
    const ada = await signUpVerified(server);
    expect((await get(ada, '/config')).body).toEqual({ configured: true, publishable_key: 'pk_test_stand_in' });
    expect((await get(ada, '/payment-method')).body).toEqual({ card: null });
    const begun = await begin(ada);
    expect(begun.status).toBe(200);
    expect(Object.keys(begun.body)).toEqual(['client_secret']);
    expect(await cardOf(ada)).toBeNull();
    const card = stripe.enterCard(begun.body.client_secret);
    expect(await cardOf(ada)).toEqual({ brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 });
    expect(await defaultOf(ada)).toBe(card.id);
  });

  it('that was begun and not finished is continued, so that nobody piles them up', async () => {
    const ada = await signUpVerified(server);
    const first = await begin(ada);
    expect((await begin(ada)).body).toEqual(first.body);
    stripe.enterCard(first.body.client_secret);
    expect((await begin(ada)).body).not.toEqual(first.body);
    expect(await cardOf(ada)).toMatchObject({ last4: '4242' });
  });

  it('that Stripe refuses is none, and can be tried again', async () => {
    const ada = await signUpVerified(server);
    const { body } = await begin(ada);
    expect(() => stripe.enterCard(body.client_secret, 'pm_card_chargeDeclined')).toThrow('Your card was declined.');
    expect(await cardOf(ada)).toBeNull();
    stripe.enterCard((await begin(ada)).body.client_secret);
    expect(await cardOf(ada)).not.toBeNull();
  });

  it('is replaced by a new one, and the old one can no longer be charged', async () => {
    const ada = await signUpVerified(server);
    const old = await addCard(ada);
    const next = await addCard(ada, 'pm_card_mastercard');
    expect(await cardOf(ada)).toMatchObject({ brand: 'mastercard' });
    expect(await defaultOf(ada)).toBe(next.id);
    await expect.poll(() => stripe.store.cards.get(old.id)?.customer).toBeNull();
    expect(stripe.store.cards.get(next.id)?.customer).not.toBeNull();
  });

  it('of two that are entered at once is the newer one, however often it is read at once', async () => {
    const ada = await signUpVerified(server);
    await addCard(ada);
    const [one, two] = await Promise.all([begin(ada), begin(ada)]);
    clock.advance(1000);
    stripe.enterCard(one.body.client_secret, 'pm_card_mastercard');
    if (two.body.client_secret !== one.body.client_secret) stripe.enterCard(two.body.client_secret, 'pm_card_amex');
    await Promise.all(Array.from({ length: 8 }, () => cardOf(ada)));
    const shown = await cardOf(ada);
    const id = await defaultOf(ada);
    expect(stripe.store.cards.get(id ?? '')?.card.brand).toBe(shown.brand);
    await expect
      .poll(
        () =>
          [...stripe.store.cards.values()].filter(
            ({ customer }) => customer === stripe.store.cards.get(id ?? '')?.customer,
          ).length,
      )
      .toBe(1);
  });

  it('of somebody else is never taken, even under one’s own setup', async () => {
    const [ada, eve] = [await signUpVerified(server), await signUpVerified(server)];
    const card = await begin(ada);
    await begin(eve);
    const [id = ''] = card.body.client_secret.split('_secret_');
    await server.db.query(
      "insert into setup_intents (developer_id, id, status, created_at) values ($1, $2, 'open', $3)",
      [eve.id, id, new Date(clock.now().getTime() + 1000)],
    );
    stripe.enterCard(card.body.client_secret);
    expect(await cardOf(eve)).toBeNull();
    expect(await cardOf(ada)).not.toBeNull();
  });

  it('is entered by sessions of developers with a verified address alone', async () => {
    expect((await begin(await signUp(server))).body.code).toBe('email_unverified');
    const rae = await signUpVerified(server, 'reseller');
    for (const answer of [await begin(rae), await get(rae, '/payment-method'), await remove(rae)])
      expect(answer.status).toBe(403);
  });

  it('that was taken away at Stripe right after it was entered is none, and another one can be entered', async () => {
    const ada = await signUpVerified(server);
    const begun = await begin(ada);
    stripe.detach(stripe.enterCard(begun.body.client_secret).id);
    const answer = await get(ada, '/payment-method');
    expect([answer.status, answer.body]).toEqual([200, { card: null }]);
    await addCard(ada, 'pm_card_mastercard');
    expect(await cardOf(ada)).toMatchObject({ brand: 'mastercard' });
  });

  it('of a customer that was deleted on Stripe’s pages is gone, and a new one can be entered', async () => {
    const ada = await signUpVerified(server);
    await addCard(ada);
    const [row] = await server.db.query<{ id: string }>(
      'select stripe_customer_id as id from billing_customers where developer_id = $1',
      [ada.id],
    );
    stripe.deleteCustomer(row?.id ?? '');
    const card = await addCard(ada, 'pm_card_mastercard');
    expect(await cardOf(ada)).toMatchObject({ brand: 'mastercard' });
    expect(await defaultOf(ada)).toBe(card.id);
  });
});

describe('removing a card', () => {
  it('takes it from Stripe too; a plan that needs one keeps it', async () => {
    const ada = await signUpVerified(server);
    expect((await remove(ada)).status).toBe(404);
    const card = await addCard(ada);
    await server.db.query("update users set plan = 'pro' where id = $1", [ada.id]);
    const refused = await remove(ada);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'Your plan needs a card. Enter another one to replace it, or switch to Starter first.',
    ]);
    await server.db.query("update users set plan = 'free' where id = $1", [ada.id]);
    expect((await remove(ada)).body).toEqual({ ok: true });
    expect(await cardOf(ada)).toBeNull();
    await expect.poll(() => stripe.store.cards.get(card.id)?.customer).toBeNull();
    expect((await remove(ada)).status).toBe(404);
  });
});

describe('a card that was removed', () => {
  it('does not come back by an event that is late, while Stripe still has it', async () => {
    const ada = await signUpVerified(server);
    const card = await addCard(ada);
    const entered = stripe.store.events.filter(({ type }) => type === 'setup_intent.succeeded').at(-1);
    if (!entered) throw new Error('no event');
    stripe.fail({ call: 'POST /v1/payment_methods/:id/detach', how: '500-before', times: 100 });
    expect((await remove(ada)).status).toBe(200);
    expect(await defaultOf(ada)).toBe(card.id);
    expect((await stripe.deliver(server, entered)).status).toBe(200);
    expect(await cardOf(ada)).toBeNull();
    const plan = await call(server, 'POST', '/api/subscribe', { token: ada.token, body: { plan_id: 'pro' } });
    expect([plan.status, plan.body.code]).toEqual([402, 'card_required']);
    // another one is entered as ever
    const next = await addCard(ada, 'pm_card_mastercard');
    expect(await cardOf(ada)).toMatchObject({ brand: 'mastercard' });
    expect(await defaultOf(ada)).toBe(next.id);
  });

  it('does not come back by a look at Stripe that began before it was removed', async () => {
    const ada = await signUpVerified(server);
    await addCard(ada);
    await begin(ada);
    stripe.fail({ call: 'POST /v1/payment_methods/:id/detach', how: '500-before', times: 100 });
    const asked = stripe.hold('GET /v1/customers/:id');
    const looked = cardOf(ada);
    await asked.arrived;
    expect((await remove(ada)).status).toBe(200);
    asked.release();
    expect(await looked).toBeNull();
    expect(await cardOf(ada)).toBeNull();
  });
});

describe('Stripe that does not answer', () => {
  it.each(['lost-before', 'lost-after', '500-before', '500-after'] as const)(
    'while a card is begun (%s): 503, and an hour later it works with one customer and one card',
    async (how) => {
      const ada = await signUpVerified(server);
      for (const path of ['POST /v1/customers', 'POST /v1/setup_intents']) {
        stripe.fail({ call: path, how, times: 2 });
        const answer = await begin(ada);
        expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
        stripe.heal();
        clock.advance(3_600_000);
      }
      stripe.enterCard((await begin(ada)).body.client_secret);
      expect(await cardOf(ada)).toMatchObject({ last4: '4242' });
    },
  );

  it('shows what is known, and takes the new card at the next look', async () => {
    const ada = await signUpVerified(server);
    await addCard(ada);
    stripe.enterCard((await begin(ada)).body.client_secret, 'pm_card_amex');
    stripe.fail({ call: 'POST /v1/customers/:id', how: '500-before', times: 1 });
    expect(await cardOf(ada)).toMatchObject({ brand: 'visa' });
    expect(await cardOf(ada)).toMatchObject({ brand: 'amex' });
  });
});

describe('the email about a card that ends', () => {
  beforeEach(() => clock.set('2026-03-10T12:00:00Z'));
  const endsAt = async (person: Person, month: number, year: number) => {
    await server.db.query('update billing_customers set exp_month = $2, exp_year = $3 where developer_id = $1', [
      person.id,
      month,
      year,
    ]);
  };
  const sent = (person: Person) =>
    server.db.query<{ subject: string }>(
      "select subject from mails where recipient = $1 and subject like '%expires soon'",
      [person.email],
    );

  it('comes once per card, within thirty days of the end of its last month', async () => {
    const { warn, statusOf } = billingScene(() => ({ server, stripe, clock }));
    const [soon, later] = [await signUpVerified(server), await signUpVerified(server)];
    for (const person of [soon, later]) await addCard(person);
    await endsAt(soon, 3, 2026);
    await endsAt(later, 4, 2026);
    clock.set('2026-03-01T23:59:59Z');
    await warn();
    expect(await sent(soon)).toEqual([]);
    clock.set('2026-03-02T00:00:00Z');
    await Promise.all([warn(), warn()]);
    await warn();
    expect(await sent(soon)).toEqual([{ subject: 'Your card ending in 4242 expires soon' }]);
    expect((await statusOf(soon)).attention).toBe('card_expiring');
    expect((await statusOf(later)).attention).toBeNull();
    expect(await sent(later)).toEqual([]);
    await addCard(soon, 'pm_card_mastercard');
    await endsAt(soon, 3, 2026);
    await warn();
    expect(await sent(soon)).toHaveLength(2);
  });
});

describe('a server without Stripe', () => {
  it('offers all but cards, and reports that', async () => {
    const bare = await sharedServer();
    const ada = await signUpVerified(bare);
    const ask = (method: string, path: string) => call(bare, method, `/api/billing${path}`, { token: ada.token });
    expect((await ask('GET', '/config')).body).toEqual({ configured: false, publishable_key: null });
    expect((await ask('GET', '/payment-method')).body).toEqual({ card: null });
    const asked = await ask('POST', '/create-setup-intent');
    expect([asked.status, asked.body.code, asked.body.message]).toEqual([
      503,
      'payments_not_configured',
      'Card payments are not configured.',
    ]);
    expect(asked.headers.get('x-should-retry'), 'another try fails as well').toBe('false');
    const removed = await ask('DELETE', '/payment-method');
    expect([removed.status, removed.body.message]).toEqual([404, 'There is no card on file.']);
  });
});
