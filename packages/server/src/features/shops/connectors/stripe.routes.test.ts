import { queueJob } from '@tonerow/test-support/queue-job.ts';
import { apiSuite } from '@tonerow/test-support/shops/api-scene.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { buyer, unitsOf } from '@tonerow/test-support/shops/scene.ts';
import { StripeShop } from '@tonerow/test-support/shops/stripe.ts';
import { expect, it } from 'vitest';

const suite = apiSuite();
const SECRET = 'whsec_of_the_sellers_own_account';

async function scene() {
  const shop = await suite.begin({ kind: 'stripe', secret: SECRET }, ({ glide, prism }) => [
    { key: 'variant:price_glide', product_ids: [glide] },
    { key: 'product:prod_prism', product_ids: [prism] },
  ]);
  return { shop, stripe: new StripeShop({ address: shop.address, secret: SECRET }, suite.host) };
}
const glide = { price: 'price_glide', product: 'prod_glide', quantity: 2, total: 9800, tax: 800 };
const prism = { price: 'price_prism', product: 'prod_prism', quantity: 1, total: 2900 };
const synth = { price: 'price_glide', product: 'prod_glide', quantity: 1, total: 1000 };

it('reads the lines of a checkout from the API, all pages of them, and gives its serials once', async () => {
  const { shop, stripe } = await scene();
  await suite.open(shop, { key: stripe.key });
  const email = buyer();
  const session = stripe.sell(email, [glide, prism, synth]);
  // the same sale under two ids
  expect([await stripe.sendSession(session), await stripe.sendSession(session)]).toEqual([200, 200]);
  const order = await shop.becomes(session.id, { state: 'issued', serials: 4, email, country: 'DE', paid: '129.00' });
  expect(unitsOf(order).map(({ paid_usd }) => paid_usd)).toEqual([45, 45, 29, 10]);
  await shop.done();
  expect((await shop.order(session.id)).serials).toBe(4);
  await expectOrderBook(suite.server, shop.ada.id);
});

it('waits for the payment of a checkout that is paid later, and gives nothing for one that fails', async () => {
  const { shop, stripe } = await scene();
  await suite.open(shop, { key: stripe.key });
  const late = stripe.sell(buyer(), [prism], { paid: 'unpaid' });
  await stripe.sendSession(late);
  await shop.becomes(late.id, { state: 'pending', serials: 0 });
  Object.assign(late, { paid: 'paid', created: late.created + 5 });
  await stripe.sendSession(late, 'checkout.session.async_payment_succeeded');
  await shop.becomes(late.id, { state: 'issued', serials: 1 });
  const failed = stripe.sell(buyer(), [prism], { paid: 'unpaid' });
  await stripe.sendSession(failed, 'checkout.session.async_payment_failed');
  await shop.becomes(failed.id, { state: 'canceled', serials: 0 });
});

it('counts a coupon of everything as paid, where there is no payment that could be named', async () => {
  const { shop, stripe } = await scene();
  await suite.open(shop, { key: stripe.key });
  const free = stripe.sell(buyer(), [{ ...prism, total: 0 }], { paid: 'no_payment_required', intent: null });
  await stripe.sendSession(free);
  const order = await shop.becomes(free.id, { state: 'issued', serials: 1, external_id: free.id });
  expect(unitsOf(order)[0].paid_usd).toBe(0);
});

it('counts an amount in a currency without decimals, and one of Stripe’s own decimals, as what it is', async () => {
  const { shop, stripe } = await scene();
  await suite.open(shop, { key: stripe.key });
  const yen = stripe.sell(buyer(), [{ ...prism, total: 4500 }], { currency: 'jpy' });
  await stripe.sendSession(yen);
  await shop.becomes(yen.id, { currency: 'JPY', paid: '4500', reasons: [{ reason: 'list_price' }] });
  const krona = stripe.sell(buyer(), [{ ...prism, total: 450_000 }], { currency: 'isk' });
  await stripe.sendSession(krona);
  await shop.becomes(krona.id, { currency: 'ISK', paid: '4500' });
});

it('takes no serial for a part of the payment, all for the whole of it, and gives them back when the refund fails', async () => {
  const { shop, stripe } = await scene();
  await suite.open(shop, { key: stripe.key });
  const session = stripe.sell(buyer(), [glide]);
  // the refund is told of first
  await stripe.send('refund.created', stripe.refund(session, 900));
  await stripe.sendSession(session);
  await shop.becomes(session.id, { state: 'attention', serials: 2, reasons: [{ reason: 'amount_refund' }] });
  const rest = stripe.refund(session, 8900);
  await stripe.send('refund.created', rest);
  await shop.becomes(session.id, { state: 'refunded', serials: 0 });
  expect(await stripe.send('charge.refunded', { id: `ch_${session.intent}`, payment_intent: session.intent })).toBe(
    200,
  );
  session.refunded -= 8900;
  await stripe.send('refund.failed', { ...rest, status: 'failed' });
  await shop.becomes(session.id, { serials: 2 });
  await expectOrderBook(suite.server, shop.ada.id);
});

it('flags a warning, suspends for a dispute, and gives the same codes back when it is won', async () => {
  const { shop, stripe } = await scene();
  await suite.open(shop, { key: stripe.key });
  const session = stripe.sell(buyer(), [glide]);
  await stripe.sendSession(session);
  const before = unitsOf(await shop.becomes(session.id, { state: 'issued' }));
  const dispute = { id: 'du_1', payment_intent: session.intent, status: 'warning_needs_response' };
  await stripe.send('charge.dispute.created', dispute);
  await shop.becomes(session.id, { state: 'attention', serials: 2, reasons: [{ reason: 'inquiry' }] });
  await stripe.send('charge.dispute.created', { ...dispute, id: 'du_2', status: 'needs_response' });
  await expect
    .poll(async () => unitsOf(await shop.order(session.id)).map(({ state }) => state), { timeout: 30_000 })
    .toEqual(['suspended', 'suspended']);
  await stripe.send('charge.dispute.closed', { ...dispute, id: 'du_2', status: 'won' });
  await expect
    .poll(async () => unitsOf(await shop.order(session.id)).map(({ code, state }) => [code, state]), {
      timeout: 30_000,
    })
    .toEqual(before.map(({ code }) => [code, 'delivered']));
});

it('takes back the serials of a subscription and of a renewal, whose refunds and disputes name a payment that neither of them has', async () => {
  const { shop, stripe } = await scene();
  await suite.open(shop, { key: stripe.key });
  await shop.map([{ key: 'variant:price_glide', product_ids: [shop.glide.id], renewals: 'issue' }]);
  const sell = () => {
    const session = stripe.sell(buyer(), [glide], { mode: 'subscription' });
    return Object.assign(session, { invoice: `in_${session.id}` });
  };
  const first = sell();
  await stripe.sendSession(first);
  await shop.becomes(first.id, { state: 'issued', serials: 2, external_id: first.invoice });
  const renewal = stripe.renew(first);
  await stripe.sendRenewal(renewal);
  await shop.becomes(renewal.id, { state: 'issued', serials: 2 });
  await stripe.send('refund.created', stripe.refund(renewal, 9800));
  await shop.becomes(renewal.id, { state: 'refunded', serials: 0 });
  expect((await shop.order(first.id)).serials).toBe(2);
  await stripe.send('charge.dispute.created', { id: 'du_1', payment_intent: first.intent, status: 'needs_response' });
  await shop.becomes(first.id, { state: 'disputed' });
  // the refund is told of before its sale
  const second = sell();
  await stripe.send('refund.created', stripe.refund(second, 9800));
  await shop.becomes(String(second.invoice), { state: 'seen' });
  await stripe.sendSession(second);
  await shop.becomes(second.id, { state: 'refunded', serials: 0 });
  // nothing reports the refund, and the list has it
  const third = sell();
  await stripe.sendSession(third);
  await shop.becomes(third.id, { state: 'issued' });
  stripe.refund(third, 9800);
  await queueJob(suite.server.db, 'shop-reconcile', { accountId: shop.ada.id, shopId: shop.shopId });
  await shop.becomes(third.id, { state: 'refunded', serials: 0 });
  // and nothing else is there, such as an order that is only a payment
  const { rows } = (await shop.api('GET', `/api/shops/${shop.shopId}/orders`)).body;
  expect(rows.map(({ external_id }: { external_id: string }) => external_id).sort()).toEqual(
    [first.invoice, second.invoice, third.invoice, renewal.id].sort(),
  );
  const { deliveries } = await shop.order(second.id);
  expect(deliveries.map(({ event, state }: { event: string; state: string }) => [event, state])).toEqual([
    ['checkout.session.completed', 'done'],
    ['refund.created', 'done'],
  ]);
  await expectOrderBook(suite.server, shop.ada.id);
});

it('knows a checkout that makes an invoice by its payment, and asks for the right to read invoices only where it needs them', async () => {
  const { shop, stripe } = await scene();
  await suite.open(shop, { key: stripe.key });
  stripe.readsInvoices = false;
  const session = stripe.sell(buyer(), [glide], { invoice: 'in_of_a_payment' });
  await stripe.sendSession(session);
  await shop.becomes(session.id, { state: 'issued', external_id: session.intent });
  await stripe.send('refund.created', stripe.refund(session, 9800));
  await shop.becomes(session.id, { state: 'refunded', serials: 0 });
  const subscribed = stripe.sell(buyer(), [glide], { mode: 'subscription', invoice: 'in_2' });
  await stripe.sendSession(subscribed);
  await shop.becomes(subscribed.id, { state: 'issued' });
  await stripe.send('refund.created', stripe.refund(subscribed, 9800));
  await expect
    .poll(async () => String((await shop.api('GET', `/api/shops/${shop.shopId}`)).body.trouble), { timeout: 30_000 })
    .toContain('Invoices');
  stripe.readsInvoices = true;
  await suite.open(shop, { key: stripe.key });
  await shop.becomes(subscribed.id, { state: 'refunded', serials: 0 });
});

it('waits without a key, which is shown, and gives what waits when there is one', async () => {
  const { shop, stripe } = await scene();
  const session = stripe.sell(buyer(), [prism]);
  await stripe.sendSession(session);
  const shown = async () => (await shop.api('GET', `/api/shops/${shop.shopId}`)).body;
  await expect.poll(shown, { timeout: 30_000 }).toMatchObject({
    state: 'attention',
    waiting: 1,
    trouble: expect.stringContaining('API'),
  });
  const refused = await shop.api('PUT', `/api/shops/${shop.shopId}/credentials`, { key: 'rk_live_of_somebody_else' });
  expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'key']);
  const test = await shop.api('PUT', `/api/shops/${shop.shopId}/credentials`, { key: 'rk_test_0123456789abcdef' });
  expect([test.status, test.text.includes('rk_test')]).toEqual([400, false]);
  await suite.open(shop, { key: stripe.key });
  await shop.becomes(session.id, { state: 'issued', serials: 1 });
  expect(await shown()).toMatchObject({ state: 'active', trouble: null, has_credentials: true });
  expect((await shop.api('GET', '/api/shops')).text).not.toContain(stripe.key);
  expect(suite.server.logged()).not.toContain(stripe.key);
});

it.each(['500', '429', 'hangs up'] as const)(
  'tries again when the API answers with %s, and gives everything once',
  async (fault) => {
    const { shop, stripe } = await scene();
    await suite.open(shop, { key: stripe.key });
    suite.host.faults.push(fault);
    const session = stripe.sell(buyer(), [prism]);
    await stripe.sendSession(session);
    await shop.becomes(session.id, { state: 'issued', serials: 1 });
  },
);

it('refuses what is old, forged, or of another mode, and accepts either secret while one is rotated', async () => {
  const { shop, stripe } = await scene();
  await suite.open(shop, { key: stripe.key });
  const session = stripe.sell(buyer(), [prism]);
  const body = JSON.stringify({
    id: 'evt_old',
    type: 'checkout.session.completed',
    livemode: true,
    created: 1,
    data: {},
  });
  expect(await stripe.post(body, Math.floor(Date.now() / 1000) - 301)).toBe(401);
  stripe.secrets = ['whsec_another'];
  expect(await stripe.sendSession(session)).toBe(401);
  stripe.secrets = ['whsec_another', SECRET];
  expect(await stripe.send('checkout.session.completed', { id: 'cs_test', payment_intent: 'pi_test' }, 1, false)).toBe(
    200,
  );
  await shop.done();
  expect((await shop.api('GET', `/api/shops/${shop.shopId}/orders`)).body.rows).toEqual([]);
});
