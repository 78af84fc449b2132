import { type Collecting, collectionScene, startCollection } from '@tonerow/test-support/collection.ts';
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

const { besideIt, collect, stateOf, ownerOf, logOf, invoicesFor, chargesFor, owing } = collectionScene(() => at);

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
      // an invoice that is read by its id is one that somebody has begun with
      at.stripe.fail({ call: 'POST /v1/invoices/:id/finalize', how: '500-before', times: 1 });
      await collect();
      clock.advance(HOUR);
    }
    const begun = at.stripe.seen.length;
    at.stripe.fail({ call: path, how, times: 2 });
    await collect();
    expect(at.stripe.seen.slice(begun).map(({ call }) => call)).toContain(path);
    at.stripe.heal();
    if (keys === 'forgotten') at.stripe.forgetKeys();
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
    at.stripe.fail({ call: 'POST /v1/invoices/:id/pay', how: 'lost-after', times: 2 });
    await collect();
    expect(await stateOf(id)).toMatchObject({ attempts: 0 });
    at.stripe.heal();
    await collect();
    expect(chargesFor(id)).toHaveLength(1);
    expect(await stateOf(id)).toMatchObject({ state: 'open', attempts: 1 });
  });
});

describe('a process that dies', () => {
  it.each([1, 2, 3, 4, 5, 6])('after %i calls: the next one goes on, to one invoice and one charge', async (after) => {
    const { id } = await owing();
    await besideIt(async (deps) => {
      const begun = at.stripe.seen.length;
      // as kill -9 does: nothing is noted any more, and the lease stays
      const dies = () => {
        if (at.stripe.seen.length - begun >= after) throw new Error('dead');
      };
      const send = deps.db.send.bind(deps.db);
      deps.db.send = (async (statement) => {
        if (/update|insert/.test(statement.text)) dies();
        return send(statement);
      }) as typeof send;
      const work = deps.db.work.bind(deps.db);
      deps.db.work = (async (options, run) => {
        dies();
        return work(options, run);
      }) as typeof work;
      await deps.collection.collect({ developer_id: (await ownerOf(id)) as string, id }).catch(() => undefined);
    });
    clock.advance(16 * 60_000);
    await collect();
    expect(await stateOf(id)).toMatchObject({ state: 'paid' });
    expect(invoicesFor(id)).toMatchObject([{ status: 'paid', total: 1055 }]);
    expect(chargesFor(id)).toHaveLength(1);
  });
});
