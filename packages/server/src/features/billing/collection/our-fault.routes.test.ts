import { type Collecting, collectionScene, startCollection } from '@tonerow/test-support/collection.ts';
import { call, signUpVerified } from '@tonerow/test-support/http.ts';
import type { Fault } from '@tonerow/test-support/stripe/stand-in.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, TestClock } from '#platform/clock.ts';

let at: Collecting;
const clock = new TestClock('2026-03-01T00:10:00Z');
beforeAll(async () => {
  at = await startCollection(clock);
});
beforeEach(() => clock.set('2026-03-01T00:10:00Z'));
afterEach(() => at.stripe.heal());
afterAll(() => at.stop());

const { addCard, begin, get, statusOf, collect, stateOf, logOf, chargesFor, emailsTo, owing } = collectionScene(
  () => at,
);
const warnings = () => at.worker.deps.warnings.all();
const failures = async (reason: string) => {
  const counted = await at.worker.deps.metrics.registry.getSingleMetric('tonerow_collection_failures_total')?.get();
  return counted?.values.find(({ labels }) => labels.reason === reason)?.value ?? 0;
};
const adminsView = async (id: string) => {
  const admin = await signUpVerified(at.server);
  await at.server.db.query('update users set is_admin = true where id = $1', [admin.id]);
  return (await call(at.server, 'GET', `/api/billing/logs/statements/${id}`, { token: admin.token })).body.statement;
};

describe('what the card did not cause', () => {
  const PAY = 'POST /v1/invoices/:id/pay';
  it.each<[string, Fault['how'], string]>([
    [PAY, '401', 'unauthorized'],
    [PAY, '403', 'unauthorized'],
    [PAY, '400', 'refused'],
    [PAY, '404', 'missing'],
    [PAY, '500-before', 'unavailable'],
    [PAY, 'lost-before', 'unavailable'],
    ['POST /v1/invoices/:id/finalize', '401', 'unauthorized'],
    ['GET /v1/invoices', '403', 'unauthorized'],
  ])('%s %s: spends no attempt, is told to no developer, and is tried again', async (path, how, reason) => {
    const { ada, id } = await owing();
    const [emailQueue, failed] = [await emailsTo(ada), await failures(reason)];
    at.stripe.fail({ call: path, how, times: 2 });
    expect(await collect()).toMatchObject({ paid: 0, failed: 0, later: 1 });
    expect(await stateOf(id)).toMatchObject({ attempts: 0 });
    expect(await logOf(id)).toEqual([]);
    expect(await emailsTo(ada)).toEqual(emailQueue);
    expect(await statusOf(ada)).toMatchObject({ status: 'none', error: null, attention: null });
    expect((await get(ada, `/invoices/${id}`)).body.payment).toMatchObject({ attempts: 0, last_error: null });
    // the operator of the server hears of it
    expect(await failures(reason)).toBe(failed + 1);
    expect((await adminsView(id)).last_error).not.toBeNull();
    expect(await warnings()).toEqual(reason === 'unauthorized' ? ['payments_locked_out'] : []);

    at.stripe.heal();
    clock.advance(HOUR);
    expect(await collect()).toMatchObject({ paid: 1, later: 0 });
    expect(await logOf(id)).toEqual(['1 charge success']);
    expect(chargesFor(id)).toMatchObject([{ amount: 1055, succeeded: true }]);
    expect(await warnings()).toEqual([]);
  });

  it('does not end what a declined charge has told: its words, and its calendar', async () => {
    const { ada, card, id } = await owing('pm_card_chargeCustomerFail');
    await collect();
    const next = (await stateOf(id))?.next ?? clock.now();
    clock.set(next);
    at.stripe.fail({ call: PAY, how: '401', times: 1 });
    expect(await collect()).toMatchObject({ later: 1 });
    expect(await stateOf(id)).toEqual({ state: 'open', attempts: 1, next });
    expect(await statusOf(ada)).toMatchObject({ status: 'open', error: 'Your card was declined.' });
    at.stripe.behave(card?.id ?? '', 'ok');
    expect(await collect()).toMatchObject({ paid: 1 });
  });
});

it('a card that was entered stays, and a developer who enters one is asked to come back, while our key is not accepted', async () => {
  const ada = await signUpVerified(at.server);
  const card = await addCard(ada);
  const begun = await begin(ada);
  const other = at.stripe.enterCard(begun.body.client_secret, 'pm_card_mastercard');
  at.stripe.fail({ call: 'POST /v1/customers/:id', how: '401', times: 1 });
  expect((await get(ada, '/payment-method')).body.card).toMatchObject({ last4: card.card.last4 });
  expect((await get(ada, '/payment-method')).body.card).toMatchObject({ last4: other.card.last4 });
  at.stripe.fail({ call: 'POST /v1/setup_intents', how: '401', times: 1 });
  const refused = await begin(ada);
  expect([refused.status, refused.text]).toEqual([
    503,
    expect.stringContaining('Card payments do not work at the moment.'),
  ]);
});
