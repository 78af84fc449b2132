import { billingScene } from '@tonerow/test-support/billing.ts';
import { call, signUpVerified } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { type StripeStandIn, startStripe } from '@tonerow/test-support/stripe/stand-in.ts';
import type { StoredEvent } from '@tonerow/test-support/stripe/store.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';

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

const { begin, cardOf, addCard } = billingScene(() => ({ server, stripe }));

const lastOf = (type: string) => stripe.store.events.filter((event) => event.type === type).at(-1) as StoredEvent;
const storedCard = async (developerId: string) =>
  (
    await server.db.query<{ brand: string | null }>('select brand from billing_customers where developer_id = $1', [
      developerId,
    ])
  )[0]?.brand;
const noted = async (id: string) =>
  (
    await server.db.query<{ error: string | null; done: boolean }>(
      'select error, processed_at is not null as done from stripe_events where id = $1',
      [id],
    )
  )[0];

/** A developer who entered a card, with the event that reports it. */
async function entered(token?: string) {
  const ada = await signUpVerified(server);
  const card = stripe.enterCard((await begin(ada)).body.client_secret, token);
  return { ada, card, event: lastOf('setup_intent.succeeded') };
}

describe('an event of Stripe', () => {
  it('brings the card in, before anybody looks', async () => {
    const { ada, event } = await entered();
    expect((await stripe.deliver(server, event)).status).toBe(200);
    expect(await storedCard(ada.id)).toBe('visa');
    expect(await noted(event.id)).toEqual({ error: null, done: true });
  });

  it('counts once, however often and however many at once it comes', async () => {
    const { ada, event } = await entered();
    const answers = await Promise.all(Array.from({ length: 5 }, () => stripe.deliver(server, event)));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
    const asked = stripe.seen.length;
    expect((await stripe.deliver(server, event)).status).toBe(200);
    expect(stripe.seen.length).toBe(asked);
    expect(await storedCard(ada.id)).toBe('visa');
  });

  it('that was applied stays so when the same one, sent a moment before, fails afterwards', async () => {
    stripe.store.note('invoice.voided', { object: 'invoice', id: 'in_stranger' });
    const event = lastOf('invoice.voided');
    const look = 'GET /v1/invoices/:id';
    const first = stripe.hold(look);
    const slow = stripe.deliver(server, event);
    await first.arrived;
    // only the first waits
    stripe.hold(look).release();
    expect((await stripe.deliver(server, event)).status).toBe(200);
    stripe.fail({ call: look, how: '401', times: 1 });
    first.release();
    expect((await slow).status).toBe(503);
    expect(await noted(event.id)).toEqual({ error: 'not ours', done: true });
  });

  it('is a hint and no figure: what it contains is not believed, and its age and order do not matter', async () => {
    const { ada, event } = await entered();
    await cardOf(ada);
    const next = stripe.enterCard((await begin(ada)).body.client_secret, 'pm_card_mastercard');
    const newer = lastOf('setup_intent.succeeded');
    expect((await stripe.deliver(server, newer)).status).toBe(200);
    clock.advance(3 * DAY);
    expect((await stripe.deliver(server, event)).status).toBe(200);
    expect(await storedCard(ada.id)).toBe('mastercard');
    const lying = { ...newer, id: 'evt_lying', data: { object: { ...newer.data.object, payment_method: 'pm_other' } } };
    expect((await stripe.deliver(server, lying)).status).toBe(200);
    expect(await storedCard(ada.id)).toBe('mastercard');
    expect(stripe.store.cards.get(next.id)?.customer).not.toBeNull();
  });

  it('about a card that was removed on Stripe’s pages takes it away here', async () => {
    const ada = await signUpVerified(server);
    const card = await addCard(ada);
    const owner = stripe.store.customers.get(card.customer ?? '');
    Object.assign(card, { customer: null });
    if (owner) owner.invoice_settings.default_payment_method = null;
    stripe.store.note('payment_method.detached', card);
    expect((await stripe.deliver(server, lastOf('payment_method.detached'))).status).toBe(200);
    expect(await cardOf(ada)).toBeNull();
  });

  it('about something that is not ours, or of a kind that is unknown, is answered, noted and ignored', async () => {
    stripe.store.note('customer.updated', { object: 'customer', id: 'cus_stranger' });
    stripe.store.note('charge.dispute.created', { object: 'dispute', id: 'dp_1' });
    for (const [event, why] of [
      [lastOf('customer.updated'), 'not ours'],
      [lastOf('charge.dispute.created'), 'ignored'],
    ] as const) {
      expect((await stripe.deliver(server, event)).status).toBe(200);
      expect(await noted(event.id)).toEqual({ error: why, done: true });
    }
  });

  it('that cannot be applied is refused, noted, and applied when it is sent again', async () => {
    const { ada, event } = await entered();
    stripe.fail({ call: 'GET /v1/setup_intents/:id', how: '500-before', times: 1 });
    expect((await stripe.deliver(server, event)).status).toBe(503);
    expect(await noted(event.id)).toMatchObject({ done: false, error: expect.any(String) });
    expect((await stripe.deliver(server, event)).status).toBe(200);
    expect(await storedCard(ada.id)).toBe('visa');
  });
});

describe('refused, and nothing is done', () => {
  const send = (headers: Record<string, string>, body: string, url = server.url) =>
    fetch(`${url}/api/stripe/webhook`, { method: 'POST', headers, body });

  it('without a signature, with that of another secret, of another body, or one that is too old', async () => {
    const { ada, event } = await entered();
    const json = { 'content-type': 'application/json' };
    const { body, signature } = stripe.signed(event);
    const forged = [
      await send(json, body),
      await send({ ...json, 'stripe-signature': 'nonsense' }, body),
      await send({ ...json, 'stripe-signature': signature }, body.replace('succeeded', 'canceled')),
      await send({ ...json, 'stripe-signature': signature }, ''),
      await stripe.deliver(server, event, { secret: 'whsec_of_somebody_else' }),
      await stripe.deliver(server, event, { at: new Date(clock.now().getTime() - 6 * 60_000) }),
    ];
    for (const answer of forged) {
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: 'invalid_request' });
    }
    expect((await send({ 'content-type': 'text/plain' }, body)).status).toBe(415);
    expect(await noted(event.id)).toBeUndefined();
    expect(await storedCard(ada.id)).toBeNull();
  });

  it('where no secret of a webhook is set', async () => {
    const { STRIPE_WEBHOOK_SECRET: _, ...without } = stripe.env;
    const silent = await startServer({ env: without });
    const { body, signature } = stripe.signed({ id: 'evt_1' });
    const answer = await send({ 'content-type': 'application/json', 'stripe-signature': signature }, body, silent.url);
    expect([answer.status, await answer.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'payments_not_configured' }),
    ]);
    // but cards work
    const ada = await signUpVerified(silent);
    expect((await call(silent, 'GET', '/api/billing/config', { token: ada.token })).body.configured).toBe(true);
    await silent.stop();
  });
});
