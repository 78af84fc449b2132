import { billingScene, plantStatement } from '@tonerow/test-support/billing.ts';
import { type Collecting, startCollection } from '@tonerow/test-support/collection.ts';
import { call, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { DAY, MINUTE, TestClock } from '#platform/clock.ts';

let at: Collecting;
const clock = new TestClock('2026-03-01T00:10:00Z');
beforeAll(async () => {
  at = await startCollection(clock);
});
beforeEach(() => clock.set('2026-03-01T00:10:00Z'));
afterEach(() => at.stripe.heal());
afterAll(() => at.stop());

const collect = () => at.worker.deps.collection.run();
const { addCard, get, statusOf } = billingScene(() => at);
const confirm = (person: Person, id: string) =>
  call(at.server, 'POST', `/api/billing/invoices/${id}/confirm-payment`, { token: person.token });
const stateOf = async (id: string) =>
  (
    await at.server.db.query<{ state: string; attempts: number }>(
      'select state, attempts from billing_statements where id = $1',
      [id],
    )
  )[0];
const invoiceFor = (id: string) => {
  const found = [...at.stripe.store.invoices.values()].filter(({ metadata }) => metadata.statement_id === id);
  expect(found).toHaveLength(1);
  return found[0] as (typeof found)[number];
};
const succeeded = (id: string) =>
  at.stripe.store.charges.filter((charge) => charge.invoice === invoiceFor(id).id && charge.succeeded);
const emailsOf = (person: Person) =>
  at.server.db.query<{ subject: string }>('select subject from mails where recipient = $1', [person.email]);
const deliverEvent = (id: string, type: string) => {
  const about = (object: object) => 'id' in object && object.id === invoiceFor(id).id;
  const event = at.stripe.store.events.filter((each) => each.type === type && about(each.data.object)).at(-1);
  if (!event) throw new Error(`no ${type}`);
  return at.stripe.deliver(at.server, event);
};

/** A bank that asks at every charge, and declines a charge if the cardholder is not there to answer. */
async function asked() {
  const ada = await signUpVerified(at.server);
  const card = await addCard(ada, 'pm_card_authenticationRequired');
  const id = await plantStatement(at.server.db, ada, { amounts: [1000, 55] });
  await collect();
  expect(await stateOf(id)).toEqual({ state: 'open', attempts: 1 });
  return { ada, card, id };
}

it('a payment that the bank asks about is confirmed in the browser, and the invoice is paid by one charge', async () => {
  const { ada, card, id } = await asked();
  expect(await statusOf(ada)).toMatchObject({ attention: 'confirm_payment', invoice_id: id });
  expect((await get(ada, `/invoices/${id}`)).body.payment).toMatchObject({ confirm: true });
  const emails = await at.server.db.query('select 1 from pgboss.job where data::text like $1 and data::text like $2', [
    `%${ada.email}%`,
    `%/dashboard/settings/card?invoice=${id}%`,
  ]);
  expect(emails).toHaveLength(1);

  const before = at.stripe.seen.length;
  const begun = await confirm(ada, id);
  expect(begun.status).toBe(200);
  expect(at.stripe.seen.slice(before).map(({ call: each }) => each)).toEqual(['GET /v1/invoices/:id']);
  expect(begun.headers.get('cache-control')).toContain('no-store');
  expect(begun.body).toMatchObject({ status: 'to_confirm', payment_method: card.id });
  // looked at, and not confirmed: nothing has happened
  expect((await confirm(ada, id)).body).toEqual(begun.body);
  const payment = at.stripe.confirmPayment(begun.body.client_secret, begun.body.payment_method);
  expect(payment.status).toBe('requires_action');
  expect((await confirm(ada, id)).body.status).toBe('to_confirm');
  at.stripe.authenticate(payment.id, true);
  expect((await confirm(ada, id)).body).toEqual({ status: 'paid', client_secret: null, payment_method: null });

  expect((await deliverEvent(id, 'invoice.paid')).status).toBe(200);
  await collect();
  expect(await stateOf(id)).toEqual({ state: 'paid', attempts: 2 });
  expect(succeeded(id)).toMatchObject([{ amount: 1055 }]);
  expect((await emailsOf(ada)).filter(({ subject }) => subject.startsWith('Receipt'))).toHaveLength(1);
  expect(await statusOf(ada)).toMatchObject({ status: 'paid', attention: null, invoice_id: null });
  expect((await get(ada, `/invoices/${id}`)).body.payment).toMatchObject({ confirm: false });
});

it('a payment whose confirmation fails or is left alone can be confirmed later, and is paid by its event alone', async () => {
  const { ada, id } = await asked();
  const { body } = await confirm(ada, id);
  const payment = at.stripe.confirmPayment(body.client_secret, body.payment_method);
  expect(() => at.stripe.authenticate(payment.id, false)).toThrow('unable to authenticate');
  expect((await deliverEvent(id, 'invoice.payment_failed')).status).toBe(200);
  expect(await stateOf(id)).toEqual({ state: 'open', attempts: 1 });
  // the window is closed, and the next try by ourselves is declined as before
  at.stripe.confirmPayment(body.client_secret, body.payment_method);
  clock.advance(3 * DAY);
  await collect();
  expect(await stateOf(id)).toEqual({ state: 'open', attempts: 2 });

  at.stripe.confirmPayment(body.client_secret, body.payment_method);
  at.stripe.authenticate(payment.id, true);
  for (let n = 0; n < 3; n += 1) expect((await deliverEvent(id, 'invoice.paid')).status).toBe(200);
  expect(await stateOf(id)).toEqual({ state: 'paid', attempts: 3 });
  expect(succeeded(id)).toHaveLength(1);
});

it.each(['before', 'after'])('a payment confirmed just %s the retry charges the card is paid once', async (when) => {
  const { ada, id } = await asked();
  const { body } = await confirm(ada, id);
  const payment = at.stripe.confirmPayment(body.client_secret, body.payment_method);
  clock.advance(3 * DAY);
  const charge = at.stripe.hold('POST /v1/invoices/:id/pay');
  const running = collect();
  await charge.arrived;
  if (when === 'before') {
    at.stripe.authenticate(payment.id, true);
    await Promise.all([deliverEvent(id, 'invoice.paid'), deliverEvent(id, 'invoice.paid')]);
  }
  charge.release();
  await running;
  if (when === 'after') {
    // the retry has been declined, which ends what the bank was asking
    expect(() => at.stripe.authenticate(payment.id, true)).toThrow('requires_payment_method');
    at.stripe.confirmPayment(body.client_secret, body.payment_method);
    at.stripe.authenticate(payment.id, true);
    await Promise.all([deliverEvent(id, 'invoice.paid'), collect()]);
  }
  expect((await stateOf(id))?.state).toBe('paid');
  expect(succeeded(id)).toHaveLength(1);
  expect((await emailsOf(ada)).filter(({ subject }) => subject.startsWith('Receipt'))).toHaveLength(1);
});

it('a retry that is due while the bank asks waits for the answer', async () => {
  const { ada, id } = await asked();
  clock.advance(3 * DAY - 5 * MINUTE);
  const { body } = await confirm(ada, id);
  const payment = at.stripe.confirmPayment(body.client_secret, body.payment_method);
  clock.advance(14 * MINUTE);
  await collect();
  expect(await stateOf(id)).toEqual({ state: 'open', attempts: 1 });
  at.stripe.authenticate(payment.id, true);
  expect((await confirm(ada, id)).body.status).toBe('paid');
  expect(succeeded(id)).toHaveLength(1);
});

it('a retry is held back for an hour at most, however often its payment is begun to be confirmed', async () => {
  const { ada, id } = await asked();
  clock.advance(3 * DAY - 5 * MINUTE);
  const attempts: (number | undefined)[] = [];
  for (let n = 0; n < 5; n += 1) {
    expect((await confirm(ada, id)).status).toBe(200);
    clock.advance(14 * MINUTE);
    await collect();
    attempts.push((await stateOf(id))?.attempts);
  }
  expect(attempts).toEqual([1, 1, 1, 1, 2]);
});

it('while the card is charged there is nothing to confirm, and right after there is', async () => {
  const { ada, id } = await asked();
  clock.advance(3 * DAY);
  const charge = at.stripe.hold('POST /v1/invoices/:id/pay');
  const running = collect();
  await charge.arrived;
  const meanwhile = await confirm(ada, id);
  expect([meanwhile.status, meanwhile.body.message]).toEqual([409, expect.stringContaining('being charged just now')]);
  charge.release();
  await running;
  expect((await confirm(ada, id)).body.status).toBe('to_confirm');
});

it('nobody gets the secret of a payment that is not theirs, asks for nothing, has no card or is over', async () => {
  const { ada, id } = await asked();
  const stranger = await signUpVerified(at.server);
  expect((await confirm(stranger, id)).status).toBe(404);
  expect((await confirm(ada, 'nonsense')).status).toBe(400);
  const { body: token } = await call(at.server, 'POST', '/api/tokens', {
    token: ada.token,
    body: { name: 'Script', scopes: ['account:read', 'account:write'] },
  });
  if (token.token)
    expect((await confirm({ ...ada, token: token.token } as Person, id)).status, 'an access token').toBe(403);

  const declined = await signUpVerified(at.server);
  await addCard(declined, 'pm_card_chargeCustomerFail');
  const other = await plantStatement(at.server.db, declined);
  await collect();
  expect((await confirm(declined, other)).status).toBe(409);

  await at.server.db.query(
    `update billing_customers set payment_method_id = null, brand = null, last4 = null, exp_month = null, exp_year = null
     where developer_id = $1`,
    [ada.id],
  );
  expect((await confirm(ada, id)).status).toBe(409);
  // given up on Stripe's own pages
  Object.assign(invoiceFor(id), { status: 'uncollectible' });
  expect((await confirm(ada, id)).status).toBe(409);
  expect((await stateOf(id))?.state).toBe('uncollectible');
});

it('an answer of Stripe that does not come is not told as one', async () => {
  const { ada, id } = await asked();
  at.stripe.fail({ call: 'GET /v1/invoices/:id', how: '500-before', times: 1 });
  expect((await confirm(ada, id)).status).toBe(503);
  expect((await confirm(ada, id)).body.status).toBe('to_confirm');
});
