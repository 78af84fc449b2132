import { billingScene, plantStatement } from '@tonerow/test-support/billing.ts';
import { type Collecting, startCollection } from '@tonerow/test-support/collection.ts';
import { call, PASSWORD, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let at: Collecting;
const clock = new TestClock('2026-03-10T12:00:00Z');
beforeAll(async () => {
  at = await startCollection(clock);
});
afterEach(() => at.stripe.heal());
afterAll(() => at.stop());

const { addCard } = billingScene(() => at);
const forget = () => at.worker.deps.departedCustomers.run();
const known = (person: Person) =>
  at.server.db.query<{ id: string }>(
    'select stripe_customer_id as id from billing_customers where developer_id = $1 union all select id from setup_intents where developer_id = $1',
    [person.id],
  );
const statesOf = async (person: Person) =>
  (
    await at.server.db.query<{ state: string }>(
      'select state from billing_statements where developer_id = $1 order by month',
      [person.id],
    )
  ).map(({ state }) => state);
const leave = async (person: Person) => {
  const answer = await call(at.server, 'DELETE', '/api/account/delete', {
    token: person.token,
    body: { password: PASSWORD },
  });
  expect(answer.status, answer.text).toBe(200);
};

/** A developer on a plan with a fee, with a card, and the month before still to be collected. */
async function subscriber(token?: string) {
  const ada = await signUpVerified(at.server);
  const card = await addCard(ada, token);
  const plan = await call(at.server, 'POST', '/api/subscribe', { token: ada.token, body: { plan_id: 'pro' } });
  expect(plan.status, plan.text).toBe(200);
  await plantStatement(at.server.db, ada, { amounts: [1000, 55] });
  return { ada, card };
}

it('a deleted account is charged once for its last months, and then its customer at Stripe is deleted with the card', async () => {
  const { ada, card } = await subscriber();
  const customerId = card.customer as string;
  await leave(ada);
  await forget();
  // something is still to be collected
  expect(at.stripe.store.customers.get(customerId)?.deleted).toBeUndefined();
  expect(await statesOf(ada)).toEqual(['rated', 'rated']);
  await at.worker.deps.collection.run();
  expect(await statesOf(ada)).toEqual(['paid', 'paid']);
  await forget();
  expect(at.stripe.store.customers.get(customerId)?.deleted).toBe(true);
  expect(at.stripe.store.cards.get(card.id)?.customer).toBeNull();
  expect(await known(ada)).toEqual([]);
  const charges = at.stripe.store.charges.filter(({ card: charged }) => charged === card.id);
  expect(charges.map(({ amount, succeeded }) => `${amount} ${succeeded}`).sort()).toEqual(['1000 true', '1055 true']);
  // nothing of it comes back, and the comparison with Stripe misses nothing
  const deleted = at.stripe.store.events.filter(({ type }) => type === 'customer.deleted').at(-1);
  if (!deleted) throw new Error('no event');
  expect((await at.stripe.deliver(at.server, deleted)).status).toBe(200);
  await at.worker.deps.collection.run();
  expect(await known(ada)).toEqual([]);
  expect(
    (await at.worker.deps.reconciliation.run()).differences.filter((words) => !words.includes('of overage')),
  ).toEqual([]);
});

it('a charge that fails after the deletion is given up, and the customer goes as well', async () => {
  const { ada, card } = await subscriber('pm_card_chargeCustomerFail');
  const customerId = card.customer as string;
  await leave(ada);
  await at.worker.deps.collection.run();
  expect(await statesOf(ada)).toEqual(['uncollectible', 'uncollectible']);
  await forget();
  expect(at.stripe.store.customers.get(customerId)?.deleted).toBe(true);
  expect(await known(ada)).toEqual([]);
});

it.each(['lost-before', 'lost-after', '500-before', '500-after'] as const)(
  'when Stripe’s answer to the deletion of a customer does not come (%s), the next run ends it, and others are not kept',
  async (how) => {
    const [ada, bea] = [await signUpVerified(at.server), await signUpVerified(at.server)];
    const cards = [await addCard(ada), await addCard(bea)];
    const ids = cards.map(({ customer }) => customer as string);
    for (const person of [ada, bea]) await leave(person);
    // a lost answer is asked for once more by the client itself
    at.stripe.fail({ call: 'DELETE /v1/customers/:id', how, times: how.startsWith('lost') ? 2 : 1 });
    await expect(forget()).rejects.toThrow('1 customers could not be deleted at Stripe');
    expect([...(await known(ada)), ...(await known(bea))].length).toBeGreaterThan(0);
    await forget();
    expect(ids.map((id) => at.stripe.store.customers.get(id)?.deleted)).toEqual([true, true]);
    expect([...(await known(ada)), ...(await known(bea))]).toEqual([]);
  },
);

it('the customers of accounts that are there stay, paid or not', async () => {
  const { ada, card } = await subscriber();
  await at.worker.deps.collection.run();
  await forget();
  expect(at.stripe.store.customers.get(card.customer ?? '')?.deleted).toBeUndefined();
  expect((await known(ada)).length).toBeGreaterThan(0);
});
