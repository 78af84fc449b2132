import { type Collecting, collectionScene, startCollection } from '@tonerow/test-support/collection.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';

// A customer that somebody deletes on Stripe's own pages takes their cards and drafts with them. What was finalized stays, and no
// card of another customer can pay it.

let at: Collecting;
const clock = new TestClock('2026-03-01T00:10:00Z');
beforeAll(async () => {
  at = await startCollection(clock);
});
beforeEach(() => clock.set('2026-03-01T00:10:00Z'));
afterAll(() => at.stop());

const { addCard, cardOf, statusOf, collect, stateOf, logOf, invoicesFor, chargesFor, owing } = collectionScene(
  () => at,
);

/** Stripe's invoices of a statement in the end: one that is paid, and perhaps one that is void. */
const invoicesOf = (id: string) => invoicesFor(id).map(({ status, total }) => `${status} ${total}`);
const paidCharges = (id: string) => chargesFor(id).filter(({ succeeded }) => succeeded);
const differences = async () =>
  (await at.worker.deps.reconciliation.run()).differences.filter((words) => !words.includes('of overage'));
const tellDeletion = async () => {
  const deleted = at.stripe.store.events.filter(({ type }) => type === 'customer.deleted').at(-1);
  if (!deleted) throw new Error('no event');
  expect((await at.stripe.deliver(at.server, deleted)).status).toBe(200);
};

it('before its invoice is made: it is made for a new one, and charged once there is a card', async () => {
  const { ada, card, id } = await owing();
  at.stripe.deleteCustomer(card?.customer ?? null);
  await collect();
  expect(await stateOf(id)).toMatchObject({ state: 'open', attempts: 1 });
  expect(await statusOf(ada)).toMatchObject({ attention: 'card_needed' });
  await addCard(ada);
  clock.advance(1);
  await collect();
  expect(await stateOf(id)).toMatchObject({ state: 'paid' });
  expect(invoicesOf(id)).toEqual(['paid 1055']);
  expect(paidCharges(id)).toHaveLength(1);
  expect(await differences()).toEqual([]);
});

it.each(['POST /v1/invoices/:id/add_lines', 'POST /v1/invoices/:id/finalize', 'POST /v1/invoices/:id/pay'])(
  'while its invoice is made, before %s: there is one for the next customer, paid once there is a card',
  async (call) => {
    const { ada, card, id } = await owing();
    const held = at.stripe.hold(call);
    const running = collect();
    await held.arrived;
    at.stripe.deleteCustomer(card?.customer ?? null);
    held.release();
    expect(await running).toMatchObject({ paid: 0, failed: 1, later: 0 });
    expect(await stateOf(id)).toMatchObject({ state: 'open', attempts: 1 });
    expect(await cardOf(ada)).toBeNull();
    expect(await statusOf(ada)).toMatchObject({ status: 'open', amount_due: 1055, attention: 'card_needed' });

    await addCard(ada, 'pm_card_mastercard');
    clock.advance(1);
    await collect();
    expect(await stateOf(id)).toMatchObject({ state: 'paid' });
    expect(invoicesOf(id).filter((each) => !each.startsWith('void'))).toEqual(['paid 1055']);
    expect(paidCharges(id)).toMatchObject([{ amount: 1055 }]);
    expect(await differences()).toEqual([]);
  },
);

/** Charged once, declined, and then its customer is deleted and another card entered. */
async function declinedAndDeleted() {
  const { ada, card, id } = await owing('pm_card_chargeCustomerFail');
  await collect();
  expect(invoicesOf(id)).toEqual(['open 1055']);
  at.stripe.deleteCustomer(card?.customer ?? null);
  await tellDeletion();
  expect(await cardOf(ada)).toBeNull();
  await addCard(ada, 'pm_card_mastercard');
  clock.advance(1);
  return { ada, id };
}

it('after a charge was declined: a new card pays an invoice of the new customer, and the old one is void', async () => {
  const { ada, id } = await declinedAndDeleted();
  await collect();
  expect(await stateOf(id)).toMatchObject({ state: 'paid', attempts: 2 });
  expect(await logOf(id)).toEqual(['1 charge failed', '2 charge success']);
  expect(invoicesOf(id).sort()).toEqual(['paid 1055', 'void 1055']);
  expect(paidCharges(id)).toHaveLength(1);
  expect(await statusOf(ada)).toMatchObject({ status: 'paid', amount_due: 0 });
  // that the old one is void is no news of the statement, however late it is told
  for (const event of at.stripe.store.events.filter(({ type }) => type === 'invoice.voided'))
    expect((await at.stripe.deliver(at.server, event)).status).toBe(200);
  expect(await stateOf(id)).toMatchObject({ state: 'paid' });
  expect(await differences()).toEqual([]);
});

it.each(
  ['POST /v1/invoices', 'POST /v1/invoices/:id/add_lines', 'POST /v1/invoices/:id/void'].flatMap((call) =>
    (['lost-before', 'lost-after'] as const).map((how) => [call, how] as const),
  ),
)(
  'and when the answer to %s does not come then (%s), the next run ends it: one is paid, one is void',
  async (call, how) => {
    const { id } = await declinedAndDeleted();
    at.stripe.fail({ call, how, times: 2 });
    await collect();
    expect(await stateOf(id)).toMatchObject({ state: 'open', attempts: 1 });
    // the old one may be void by now, and the event comes before the next run
    for (const event of at.stripe.store.events.filter(({ type }) => type === 'invoice.voided').slice(-1))
      expect((await at.stripe.deliver(at.server, event)).status).toBe(200);
    expect(await stateOf(id)).toMatchObject({ state: 'open' });
    at.stripe.heal();
    at.stripe.forgetKeys();
    await collect();
    expect(await stateOf(id)).toMatchObject({ state: 'paid', attempts: 2 });
    expect(invoicesOf(id).sort()).toEqual(['paid 1055', 'void 1055']);
    expect(paidCharges(id)).toHaveLength(1);
    expect(await differences()).toEqual([]);
  },
);

it('and nobody enters another card: it is given up after its 30 days, as Stripe has it', async () => {
  const { card, id } = await owing('pm_card_chargeCustomerFail');
  await collect();
  at.stripe.deleteCustomer(card?.customer ?? null);
  for (let day = 1; day <= 31; day += 1) {
    clock.advance(DAY);
    await collect();
  }
  expect(await stateOf(id)).toMatchObject({ state: 'uncollectible' });
  expect(invoicesOf(id)).toEqual(['uncollectible 1055']);
});

it('one that was canceled on Stripe’s own pages stays canceled, whoever the customer is now', async () => {
  const { id } = await declinedAndDeleted();
  const [invoice] = invoicesFor(id);
  if (!invoice) throw new Error('no invoice');
  invoice.status = 'void';
  await collect();
  expect(await stateOf(id)).toMatchObject({ state: 'void' });
  expect(chargesFor(id)).toHaveLength(1);
});

it('a customer that Stripe does not know, as with the keys of another account, is replaced', async () => {
  const { ada, card, id } = await owing();
  at.stripe.store.customers.delete(card?.customer ?? '');
  at.stripe.store.cards.delete(card?.id ?? '');
  // somebody has begun, so that the statement is looked for
  await at.server.db.query("update billing_statements set last_error = 'no answer' where id = $1", [id]);
  expect(await collect()).toMatchObject({ failed: 1, later: 0 });
  await addCard(ada, 'pm_card_mastercard');
  clock.advance(1);
  await collect();
  expect(await stateOf(id)).toMatchObject({ state: 'paid' });
  expect(invoicesOf(id)).toEqual(['paid 1055']);
});
