import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openBeside } from '../../../../../../test/support/beside.ts';
import { billingScene, plantStatement } from '../../../../../../test/support/billing.ts';
import { call, PASSWORD, type Person, signUpVerified } from '../../../../../../test/support/http.ts';
import { startServer, type TestServer } from '../../../../../../test/support/server.ts';
import { type StripeStandIn, startStripe } from '../../../../../../test/support/stripe/stand-in.ts';
import { TestClock } from '../../../platform/clock.ts';

let server: TestServer;
let stripe: StripeStandIn;
let worker: Awaited<ReturnType<typeof openBeside>>;
const clock = new TestClock('2026-03-10T12:00:00Z');
beforeAll(async () => {
  stripe = await startStripe({ now: () => clock.now() });
  // no worker: what its jobs do is done by the tests
  server = await startServer({ overrides: { clock }, env: { ...stripe.env, TONEROW_ROLE: 'api' } });
  worker = await openBeside({ server, clock, env: stripe.env });
});
afterEach(() => stripe.heal());
afterAll(async () => {
  await worker.close();
  await server.stop();
  stripe.stop();
});

const { addCard } = billingScene(() => ({ server, stripe, clock }));
const forget = () => worker.deps.departedCustomers.run();
const known = (person: Person) =>
  server.db.query<{ id: string }>(
    'select stripe_customer_id as id from billing_customers where developer_id = $1 union all select id from setup_intents where developer_id = $1',
    [person.id],
  );
const statesOf = async (person: Person) =>
  (
    await server.db.query<{ state: string }>(
      'select state from billing_statements where developer_id = $1 order by month',
      [person.id],
    )
  ).map(({ state }) => state);
const leave = async (person: Person) => {
  const answer = await call(server, 'DELETE', '/api/account/delete', {
    token: person.token,
    body: { password: PASSWORD },
  });
  expect(answer.status, answer.text).toBe(200);
};

/** A developer on a plan with a fee, with a card, and the month before still to be collected. */
async function subscriber(token?: string) {
  const ada = await signUpVerified(server);
  const card = await addCard(ada, token);
  const plan = await call(server, 'POST', '/api/subscribe', { token: ada.token, body: { plan_id: 'pro' } });
  expect(plan.status, plan.text).toBe(200);
  await plantStatement(server.db, ada, { amounts: [1000, 55] });
  return { ada, card };
}

it('a deleted account is charged once for its last months, and then its customer at Stripe is deleted with the card', async () => {
  const { ada, card } = await subscriber();
  const customerId = card.customer as string;
  await leave(ada);
  await forget();
  // something is still to be collected
  expect(stripe.store.customers.get(customerId)?.deleted).toBeUndefined();
  expect(await statesOf(ada)).toEqual(['rated', 'rated']);
  await worker.deps.collection.run();
  expect(await statesOf(ada)).toEqual(['paid', 'paid']);
  await forget();
  expect(stripe.store.customers.get(customerId)?.deleted).toBe(true);
  expect(stripe.store.cards.get(card.id)?.customer).toBeNull();
  expect(await known(ada)).toEqual([]);
  const charges = stripe.store.charges.filter(({ card: charged }) => charged === card.id);
  expect(charges.map(({ amount, succeeded }) => `${amount} ${succeeded}`).sort()).toEqual(['1000 true', '1055 true']);
  // nothing of it comes back, and the comparison with Stripe misses nothing
  const deleted = stripe.store.events.filter(({ type }) => type === 'customer.deleted').at(-1);
  if (!deleted) throw new Error('no event');
  expect((await stripe.deliver(server, deleted)).status).toBe(200);
  await worker.deps.collection.run();
  expect(await known(ada)).toEqual([]);
  expect((await worker.deps.reconciliation.run()).differences.filter((words) => !words.includes('of overage'))).toEqual(
    [],
  );
});

it('a charge that fails after the deletion is given up, and the customer goes as well', async () => {
  const { ada, card } = await subscriber('pm_card_chargeCustomerFail');
  const customerId = card.customer as string;
  await leave(ada);
  await worker.deps.collection.run();
  expect(await statesOf(ada)).toEqual(['uncollectible', 'uncollectible']);
  await forget();
  expect(stripe.store.customers.get(customerId)?.deleted).toBe(true);
  expect(await known(ada)).toEqual([]);
});

it.each(['lost-before', 'lost-after', '500-before', '500-after'] as const)(
  'when Stripe’s answer to the deletion of a customer does not come (%s), the next run ends it, and others are not kept',
  async (how) => {
    const [ada, bea] = [await signUpVerified(server), await signUpVerified(server)];
    const cards = [await addCard(ada), await addCard(bea)];
    const ids = cards.map(({ customer }) => customer as string);
    for (const person of [ada, bea]) await leave(person);
    // a lost answer is asked for once more by the client itself
    stripe.fail({ call: 'DELETE /v1/customers/:id', how, times: how.startsWith('lost') ? 2 : 1 });
    await expect(forget()).rejects.toThrow('1 customers could not be deleted at Stripe');
    expect([...(await known(ada)), ...(await known(bea))].length).toBeGreaterThan(0);
    await forget();
    expect(ids.map((id) => stripe.store.customers.get(id)?.deleted)).toEqual([true, true]);
    expect([...(await known(ada)), ...(await known(bea))]).toEqual([]);
  },
);

it('the customers of accounts that are there stay, paid or not', async () => {
  const { ada, card } = await subscriber();
  await worker.deps.collection.run();
  await forget();
  expect(stripe.store.customers.get(card.customer ?? '')?.deleted).toBeUndefined();
  expect((await known(ada)).length).toBeGreaterThan(0);
});
