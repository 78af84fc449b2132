import { type Collecting, collectionScene, startCollection } from '@tonerow/test-support/collection.ts';
import { type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';

let at: Collecting;
let admin: Person;
const clock = new TestClock('2026-03-01T00:10:00Z');
beforeAll(async () => {
  at = await startCollection(clock);
  admin = await signUpVerified(at.server);
  await at.server.db.query('update users set is_admin = true where id = $1', [admin.id]);
});
beforeEach(() => clock.set('2026-03-01T00:10:00Z'));
afterAll(() => at.stop());

const { addCard, authed, statusOf, collect, stateOf, logOf, invoicesFor, chargesFor, emailsTo, owing } =
  collectionScene(() => at);
const decide = async (id: string, step: string) =>
  expect((await authed(admin, 'POST', `/api/billing/logs/statements/${id}/${step}`)).status).toBe(200);
const ofPayments = async (person: Person) =>
  (await emailsTo(person)).filter((subject) => /payment|invoice|receipt/i.test(subject));
/** Every event of Stripe about an invoice so far, as they come once more. */
const deliverAll = async (invoiceId = '') => {
  for (const event of at.stripe.store.events)
    if ((event.data.object as { id?: string }).id === invoiceId)
      expect((await at.stripe.deliver(at.server, event)).status).toBe(200);
};
const differing = async (id: string) =>
  (await at.worker.deps.reconciliation.run()).differences.filter((words) => words.includes(id));

describe('an invoice that was given up and is charged again', () => {
  it('is back on its calendar when the charge is declined, told in one email, and paid by a new card', async () => {
    const { ada, id } = await owing('pm_card_chargeCustomerFail', [1000]);
    await collect();
    for (const days of [3, 5, 7, 7, 8]) {
      clock.advance(days * DAY);
      await collect();
    }
    expect(await stateOf(id)).toMatchObject({ state: 'uncollectible', attempts: 5 });
    const before = (await ofPayments(ada)).length;
    const [invoice] = invoicesFor(id);

    await decide(id, 'retry');
    clock.advance(1000);
    const again = clock.now().getTime();
    await collect();
    const next = new Date(again + 3 * DAY);
    expect(await stateOf(id)).toEqual({ state: 'open', attempts: 6, next });
    expect((await ofPayments(ada)).slice(before)).toEqual(['Your payment for February 2026 did not go through']);
    // it stays given up at Stripe, also in events
    expect(invoice).toMatchObject({ status: 'uncollectible' });
    await deliverAll(invoice?.id);
    expect(await statusOf(ada)).toMatchObject({ status: 'open', attention: 'charge_failed' });
    expect(await differing(id)).toEqual([]);

    clock.set(next);
    await collect();
    expect(await stateOf(id)).toEqual({ state: 'open', attempts: 7, next: new Date(next.getTime() + 5 * DAY) });
    clock.advance(DAY);
    await addCard(ada);
    await collect();
    expect(await stateOf(id)).toMatchObject({ state: 'paid', attempts: 8 });
    expect(invoicesFor(id)).toMatchObject([{ id: invoice?.id, status: 'paid' }]);
    expect(chargesFor(id).filter(({ succeeded }) => succeeded)).toHaveLength(1);
    expect(await differing(id)).toEqual([]);
  });

  it('has the whole calendar too when it was given up at Stripe alone; without that wish it is given up here', async () => {
    const [wished, other] = [await owing('pm_card_chargeCustomerFail'), await owing('pm_card_chargeCustomerFail')];
    await collect();
    for (const { id } of [wished, other]) Object.assign(invoicesFor(id)[0] ?? {}, { status: 'uncollectible' });
    expect(await differing(wished.id)).toHaveLength(1);
    clock.advance(DAY);
    await decide(wished.id, 'retry');
    await deliverAll(invoicesFor(wished.id)[0]?.id);
    await collect();
    expect(await stateOf(wished.id)).toMatchObject({
      state: 'open',
      attempts: 2,
      next: new Date(clock.now().getTime() + 3 * DAY),
    });
    clock.advance(3 * DAY);
    await collect();
    expect(await stateOf(wished.id)).toMatchObject({ state: 'open', attempts: 3 });
    expect(await stateOf(other.id)).toMatchObject({ state: 'uncollectible', attempts: 1 });
  });
});

it('a charge that is declined when its time is up is told in one email: that it is given up', async () => {
  const { ada, id } = await owing('pm_card_chargeCustomerFail');
  await collect();
  const before = (await ofPayments(ada)).length;
  // nothing was collected for a month
  clock.advance(31 * DAY);
  await collect();
  expect(await stateOf(id)).toMatchObject({ state: 'uncollectible', attempts: 2 });
  expect(await logOf(id)).toEqual(['1 charge failed', '2 charge failed', '2 uncollectible success']);
  expect((await ofPayments(ada)).slice(before)).toEqual(['Your invoice for February 2026 is still unpaid']);
});
