import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBeside } from '../../../../../../test/support/beside.ts';
import { billingScene } from '../../../../../../test/support/billing.ts';
import { collectionCalls } from '../../../../../../test/support/collection.ts';
import { startServer, type TestServer } from '../../../../../../test/support/server.ts';
import { type Fault, type StripeStandIn, startStripe } from '../../../../../../test/support/stripe/stand-in.ts';
import { HOUR, TestClock } from '../../../platform/clock.ts';

let server: TestServer;
let stripe: StripeStandIn;
let worker: Awaited<ReturnType<typeof openBeside>>;
const clock = new TestClock('2026-03-01T00:10:00Z');
beforeAll(async () => {
  stripe = await startStripe({ now: () => clock.now() });
  // no worker: what is collected is collected by the tests
  server = await startServer({ overrides: { clock }, env: { ...stripe.env, TONEROW_ROLE: 'api' } });
  worker = await openBeside({ server, clock, env: stripe.env });
});
beforeEach(() => clock.set('2026-03-01T00:10:00Z'));
afterEach(() => stripe.heal());
afterAll(async () => {
  await worker.close();
  await server.stop();
  stripe.stop();
});

const { addCard, besideIt } = billingScene(() => ({ server, stripe, clock }));
const { collect, stateOf, ownerOf, logOf, invoicesFor, chargesFor, owing } = collectionCalls(() => ({
  server,
  stripe,
  worker,
  addCard,
}));

const CALLS = [
  'GET /v1/invoices',
  'POST /v1/invoices',
  'POST /v1/invoices/:id/add_lines',
  'GET /v1/invoices/:id',
  'POST /v1/invoices/:id/finalize',
  'POST /v1/invoices/:id/pay',
];
const HOW: Fault['how'][] = ['lost-before', 'lost-after', '500-before', '500-after'];

describe('an answer of Stripe that does not come', () => {
  it.each(
    CALLS.flatMap((path) => HOW.flatMap((how) => [[path, how, 'kept'] as const, [path, how, 'forgotten'] as const])),
  )('%s %s, keys %s: one invoice and one charge in the end', async (path, how, keys) => {
    const { id } = await owing();
    if (path === 'GET /v1/invoices/:id') {
      // what is read by its id is what somebody has begun with
      stripe.fail({ call: 'POST /v1/invoices/:id/finalize', how: '500-before', times: 1 });
      await collect();
      clock.advance(HOUR);
    }
    const begun = stripe.seen.length;
    stripe.fail({ call: path, how, times: 2 });
    await collect();
    expect(stripe.seen.slice(begun).map(({ call }) => call)).toContain(path);
    stripe.heal();
    if (keys === 'forgotten') stripe.forgetKeys();
    for (let tries = 0; tries < 3; tries += 1) {
      await collect();
      clock.advance(HOUR);
    }
    expect(await stateOf(id)).toMatchObject({ state: 'paid' });
    expect(invoicesFor(id)).toMatchObject([{ status: 'paid', total: 1055 }]);
    expect(chargesFor(id)).toMatchObject([{ amount: 1055, succeeded: true }]);
    expect((await logOf(id)).filter((line) => line.endsWith('success'))).toHaveLength(1);
  });

  it('to a declined charge counts it once', async () => {
    const { id } = await owing('pm_card_chargeCustomerFail');
    stripe.fail({ call: 'POST /v1/invoices/:id/pay', how: 'lost-after', times: 2 });
    await collect();
    expect(await stateOf(id)).toMatchObject({ attempts: 0 });
    stripe.heal();
    await collect();
    expect(chargesFor(id)).toHaveLength(1);
    expect(await stateOf(id)).toMatchObject({ state: 'open', attempts: 1 });
  });
});

describe('a process that dies', () => {
  it.each([1, 2, 3, 4, 5, 6])('after %i calls: the next one goes on, to one invoice and one charge', async (after) => {
    const { id } = await owing();
    await besideIt(async (deps) => {
      const begun = stripe.seen.length;
      // as kill -9 does: nothing is noted any more, and the lease stays
      const query = deps.db.query.bind(deps.db);
      deps.db.query = (async (text: string, values: unknown[]) => {
        if (stripe.seen.length - begun >= after && /update|insert/.test(text)) throw new Error('dead');
        return query(text, values);
      }) as typeof query;
      deps.db.transaction = async () => {
        throw new Error('dead');
      };
      await deps.collection.collect({ developer_id: (await ownerOf(id)) as string, id }).catch(() => undefined);
    });
    clock.advance(16 * 60_000);
    await collect();
    expect(await stateOf(id)).toMatchObject({ state: 'paid' });
    expect(invoicesFor(id)).toMatchObject([{ status: 'paid', total: 1055 }]);
    expect(chargesFor(id)).toHaveLength(1);
  });
});
