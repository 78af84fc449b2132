import { plantStatement } from '@tonerow/test-support/billing.ts';
import { type Collecting, collectionScene, startCollection } from '@tonerow/test-support/collection.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, TestClock } from '#platform/clock.ts';

let at: Collecting;
const clock = new TestClock('2026-03-01T00:10:00Z');
beforeAll(async () => {
  at = await startCollection(clock);
});
beforeEach(() => clock.set('2026-03-01T00:10:00Z'));
afterEach(() => at.stripe.heal());
afterAll(() => at.stop());

const { addCard, cardOf, statusOf, collect, stateOf, logOf, invoicesFor, chargesFor, emailsTo, owing } =
  collectionScene(() => at);

describe('a statement', () => {
  it('is collected by one invoice with its lines and one charge, however often and by how many at once', async () => {
    const { ada, id } = await owing();
    await Promise.all([collect(), collect(), collect()]);
    await collect();
    expect(await stateOf(id)).toMatchObject({ state: 'paid', attempts: 1, next: null });
    const [invoice, ...others] = invoicesFor(id);
    expect(others).toEqual([]);
    expect(invoice).toMatchObject({ status: 'paid', total: 1055, amount_paid: 1055, auto_advance: false });
    expect(chargesFor(id)).toMatchObject([{ amount: 1055, succeeded: true }]);
    expect(await logOf(id)).toEqual(['1 charge success']);
    expect(await emailsTo(ada)).toContain('Receipt for February 2026');
    expect(await statusOf(ada)).toMatchObject({ status: 'paid', amount_due: 0, last_amount_cents: 1055 });
  });

  it('that is one of many takes four calls and a look for all of them, and is not made again when it was forgotten here', async () => {
    clock.set('2027-03-01T00:10:00Z');
    const owed = [];
    for (let n = 0; n < 10; n += 1) owed.push(await owing(undefined, [1000, 55], '2027-02-01'));
    const ids = owed.map(({ id }) => id);
    const begun = at.stripe.seen.length;
    await collect();
    const calls = Map.groupBy(at.stripe.seen.slice(begun), ({ call }) => call);
    expect(Object.fromEntries([...calls].map(([call, all]) => [call, all.length]))).toEqual({
      'GET /v1/invoices': 1,
      'POST /v1/invoices': 10,
      'POST /v1/invoices/:id/add_lines': 10,
      'POST /v1/invoices/:id/finalize': 10,
      'POST /v1/invoices/:id/pay': 10,
    });
    // as a backup from before the collection has them
    await at.server.db.query(
      "update billing_statements set state = 'rated', stripe_invoice_id = null, attempts = 0, paid_at = null, next_attempt_at = closed_at where id = any($1)",
      [ids],
    );
    at.stripe.forgetKeys();
    await collect();
    for (const id of ids) {
      expect(await stateOf(id)).toMatchObject({ state: 'paid' });
      expect(invoicesFor(id)).toMatchObject([{ status: 'paid', total: 1055 }]);
      expect(chargesFor(id)).toHaveLength(1);
    }
  });

  it('that is one of many is looked for by itself when that look fails, or somebody has begun with it', async () => {
    clock.set('2028-03-01T00:10:00Z');
    const owed = [];
    for (let n = 0; n < 10; n += 1) owed.push(await owing(undefined, [1000, 55], '2028-02-01'));
    at.stripe.fail({ call: 'GET /v1/invoices', how: '500-before', times: 1 });
    // they have an invoice that nobody could note
    at.stripe.fail({ call: 'POST /v1/invoices', how: 'lost-after', times: 10 });
    await collect();
    at.stripe.heal();
    at.stripe.forgetKeys();
    await collect();
    for (const { id } of owed) {
      expect(await stateOf(id)).toMatchObject({ state: 'paid' });
      expect(invoicesFor(id)).toMatchObject([{ status: 'paid', total: 1055 }]);
      expect(chargesFor(id)).toHaveLength(1);
    }
  });

  it('that was collected here is told of by events that take no call to Stripe', async () => {
    const { id } = await owing();
    const before = at.stripe.store.events.length;
    await collect();
    const events = at.stripe.store.events.slice(before);
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['invoice.finalized', 'invoice.paid']));
    const begun = at.stripe.seen.length;
    for (const event of events) expect((await at.stripe.deliver(at.server, event)).status).toBe(200);
    expect(at.stripe.seen.slice(begun)).toEqual([]);
    expect(await stateOf(id)).toMatchObject({ state: 'paid', attempts: 1 });
  });

  it('that a run had no time for is left to the next one', async () => {
    const { id } = await owing();
    expect(await at.worker.deps.collection.run(0)).toMatchObject({ paid: 0, failed: 0, later: 0 });
    expect(await stateOf(id)).toMatchObject({ state: 'rated' });
    await collect();
    expect(await stateOf(id)).toMatchObject({ state: 'paid' });
  });

  it('that a killed run had in hand is told by the others, and collected by one that still runs when it is free again', async () => {
    const [held, free] = [await owing(), await owing()];
    const until = new Date(clock.now().getTime() + 15 * 60_000);
    await at.server.db.query('update billing_statements set lease_until = $2 where id = $1', [held.id, until]);
    const { release, arrived } = at.stripe.hold('POST /v1/invoices/:id/pay');
    const running = collect();
    await arrived;
    expect(await at.worker.deps.collection.run()).toMatchObject({ paid: 0, held: { count: 2 } });
    clock.advance(15 * 60_000);
    release();
    expect(await running).toEqual({ paid: 2, failed: 0, later: 0, held: { count: 0, until: null } });
    for (const { id } of [held, free]) expect(chargesFor(id)).toMatchObject([{ amount: 1055, succeeded: true }]);
  });

  it('below what can be charged is paid at once, and counts in the next charge', async () => {
    const { ada, id } = await owing(undefined, [35]);
    await collect();
    expect(await stateOf(id)).toMatchObject({ state: 'paid' });
    expect(chargesFor(id)).toEqual([]);
    expect(await logOf(id)).toEqual(['1 balance success']);
    const next = await plantStatement(at.server.db, ada, { amounts: [100], month: '2026-01-01' });
    await collect();
    expect(chargesFor(next)).toMatchObject([{ amount: 135, succeeded: true }]);
    expect(await stateOf(next)).toMatchObject({ state: 'paid' });
  });
});

describe('a charge that fails', () => {
  it.each([
    ['pm_card_chargeCustomerFail', 'Your card was declined.', 'charge_failed'],
    [
      'pm_card_authenticationRequired',
      'Your card was declined. This transaction requires authentication.',
      'confirm_payment',
    ],
  ])(
    '%s: is tried again after 3, 5, 7 and 7 days, then given up 30 days after the first',
    async (token, words, attention) => {
      const { ada, id } = await owing(token);
      const first = clock.now().getTime();
      const tried: number[] = [];
      for (let hours = 0; hours <= 31 * 24; hours += 12) {
        clock.set(new Date(first + hours * HOUR));
        const before = chargesFor(id).length;
        await collect();
        if (chargesFor(id).length > before) tried.push(hours / 24);
        if (hours === 0) {
          expect(await statusOf(ada)).toMatchObject({ status: 'open', amount_due: 1055, error: words, attention });
          expect(await emailsTo(ada)).toContain('Your payment for February 2026 did not go through');
        }
        if (hours === 22 * 24) expect(await statusOf(ada)).toMatchObject({ status: 'failed', attention });
        if (hours === 30 * 24 - 12) expect((await stateOf(id))?.state).toBe('failed');
      }
      expect(tried).toEqual([0, 3, 8, 15, 22]);
      expect(await statusOf(ada)).toMatchObject({
        status: 'uncollectible',
        amount_due: 1055,
        attention: 'uncollectible',
      });
      expect(invoicesFor(id)).toMatchObject([{ status: 'uncollectible' }]);
      expect(await logOf(id)).toEqual([...[1, 2, 3, 4, 5].map((n) => `${n} charge failed`), '5 uncollectible success']);
    },
  );

  it('is tried again at once with a new card, and paid once', async () => {
    const { ada, id } = await owing('pm_card_chargeCustomerFail');
    await collect();
    clock.advance(DAY);
    await collect();
    expect(chargesFor(id)).toHaveLength(1);
    await addCard(ada);
    await collect();
    expect(await stateOf(id)).toMatchObject({ state: 'paid', attempts: 2 });
    expect(await logOf(id)).toEqual(['1 charge failed', '2 charge success']);
    expect(await statusOf(ada)).toMatchObject({ status: 'paid', amount_due: 0, attention: null });
  });

  it('is tried again at once also when the new card comes while the old one is charged', async () => {
    const { ada, id } = await owing('pm_card_chargeCustomerFail');
    // the charge takes as long as it takes to enter a card
    const charge = at.stripe.hold('POST /v1/invoices/:id/pay');
    const running = collect();
    await charge.arrived;
    await addCard(ada);
    charge.release();
    await running;
    expect(await stateOf(id)).toMatchObject({ state: 'paid', attempts: 2 });
    expect(await logOf(id)).toEqual(['1 charge failed', '2 charge success']);
  });

  it('at its very end is not given up when a new card comes while the old one is charged', async () => {
    const { ada, id } = await owing('pm_card_chargeCustomerFail');
    await collect();
    // 30 days after the first failure, at the end of a charge that was due
    await at.server.db.query("update billing_statements set state = 'open', next_attempt_at = $2 where id = $1", [
      id,
      clock.now(),
    ]);
    clock.advance(31 * DAY);
    const charge = at.stripe.hold('POST /v1/invoices/:id/pay');
    const running = collect();
    await charge.arrived;
    await addCard(ada);
    charge.release();
    await running;
    expect(await stateOf(id)).toMatchObject({ state: 'paid', attempts: 3 });
    expect(await logOf(id)).toEqual(['1 charge failed', '2 charge failed', '3 charge success']);
  });

  it('shows that its card has expired, was removed at Stripe in the middle, or was never there', async () => {
    const [expired, removed, never] = [await owing(), await owing(), await owing('none')];
    at.stripe.behave(expired.card?.id ?? '', 'expired_card');
    at.stripe.detach(removed.card?.id ?? '');
    await collect();
    for (const [{ id, ada }, words, attention] of [
      [expired, 'Your card has expired.', 'charge_failed'],
      [removed, 'There is no card on file.', 'card_needed'],
      [never, 'There is no card on file.', 'card_needed'],
    ] as const) {
      expect(await stateOf(id)).toMatchObject({ state: 'open', attempts: 1 });
      const status = await statusOf(ada);
      expect(status.error).toMatch(words);
      expect(status.attention).toBe(attention);
    }
    expect(await cardOf(removed.ada)).toBeNull();
    for (const { ada, id } of [expired, removed, never]) {
      await addCard(ada);
      await collect();
      expect(await stateOf(id)).toMatchObject({ state: 'paid' });
      expect(chargesFor(id).filter(({ succeeded }) => succeeded)).toHaveLength(1);
    }
  });

  it('of an account that is gone is given up at once, and told to nobody', async () => {
    const { ada, id } = await owing('pm_card_chargeCustomerFail');
    const cardless = await owing('none');
    for (const each of [ada, cardless.ada])
      await at.server.db.query("update users set deleted_at = $2, email = '', email_key = null where id = $1", [
        each.id,
        clock.now(),
      ]);
    await collect();
    expect(await stateOf(id)).toMatchObject({ state: 'uncollectible' });
    expect(await logOf(id)).toEqual(['1 charge failed', '1 uncollectible success']);
    expect(await stateOf(cardless.id)).toMatchObject({ state: 'uncollectible' });
  });
});

describe('an event of Stripe about an invoice', () => {
  const last = (type: string) => {
    const event = at.stripe.store.events.filter((each) => each.type === type).at(-1);
    if (!event) throw new Error(`no ${type}`);
    return event;
  };

  it('notes what was paid, doubled and late, once', async () => {
    const { ada, id } = await owing('pm_card_chargeCustomerFail');
    await collect();
    const [invoice] = invoicesFor(id);
    if (!invoice) throw new Error('no invoice');
    // paid on Stripe's own pages
    Object.assign(invoice, { status: 'paid', amount_paid: invoice.amount_due });
    at.stripe.store.note('invoice.paid', invoice);
    for (let n = 0; n < 3; n += 1) expect((await at.stripe.deliver(at.server, last('invoice.paid'))).status).toBe(200);
    clock.advance(3 * DAY);
    expect((await at.stripe.deliver(at.server, last('invoice.payment_failed'))).status).toBe(200);
    expect(await stateOf(id)).toMatchObject({ state: 'paid' });
    expect(await logOf(id)).toEqual(['1 charge failed', '2 charge success']);
    expect((await emailsTo(ada)).filter((subject) => subject.startsWith('Receipt'))).toHaveLength(1);
    await collect();
    expect(chargesFor(id).filter(({ succeeded }) => succeeded)).toEqual([]);
  });

  it('about an invoice that is not ours, or bears somebody else’s statement, changes nothing', async () => {
    const { id } = await owing('pm_card_chargeCustomerFail');
    await collect();
    const [own] = invoicesFor(id);
    if (!own) throw new Error('no invoice');
    for (const metadata of [{}, { ...own.metadata, statement_id: 'nonsense' }, own.metadata]) {
      const foreign = { ...own, id: `in_foreign_${Math.random()}`, status: 'paid' as const, metadata };
      at.stripe.store.invoices.set(foreign.id, foreign);
      at.stripe.store.note('invoice.paid', foreign);
      expect((await at.stripe.deliver(at.server, last('invoice.paid'))).status).toBe(200);
      at.stripe.store.invoices.delete(foreign.id);
    }
    expect(await stateOf(id)).toMatchObject({ state: 'open' });
  });

  it('about one that was given up or canceled at Stripe is taken over', async () => {
    const [up, canceled] = [await owing('pm_card_chargeCustomerFail'), await owing('pm_card_chargeCustomerFail')];
    await collect();
    for (const [{ id }, status, type] of [
      [up, 'uncollectible', 'invoice.marked_uncollectible'],
      [canceled, 'void', 'invoice.voided'],
    ] as const) {
      const [invoice] = invoicesFor(id);
      Object.assign(invoice ?? {}, { status });
      at.stripe.store.note(type, invoice ?? {});
      expect((await at.stripe.deliver(at.server, last(type))).status).toBe(200);
      expect(await stateOf(id)).toMatchObject({ state: status });
    }
  });
});

it('a draft whose lines are not ours is thrown away and made anew', async () => {
  const { id } = await owing();
  at.stripe.fail({ call: 'POST /v1/invoices/:id/finalize', how: '500-before', times: 1 });
  await collect();
  const [draft] = invoicesFor(id);
  at.stripe.store.items.set('ii_foreign', {
    id: 'ii_foreign',
    object: 'invoiceitem',
    customer: draft?.customer ?? '',
    invoice: draft?.id ?? '',
    amount: 5000,
    currency: 'usd',
    description: 'Not ours',
    created: 0,
    metadata: {},
  });
  Object.assign(draft ?? {}, { total: 6055 });
  for (let tries = 0; tries < 3; tries += 1) {
    clock.advance(HOUR);
    await collect();
  }
  expect(chargesFor(id)).toMatchObject([{ amount: 1055, succeeded: true }]);
});

it('a second invoice for one statement is taken away before anything is charged', async () => {
  const { id } = await owing();
  at.stripe.fail({ call: 'POST /v1/invoices/:id/add_lines', how: '500-before', times: 1 });
  await collect();
  const [first] = invoicesFor(id);
  if (!first) throw new Error('no invoice');
  at.stripe.store.invoices.set('in_second', { ...first, id: 'in_second' });
  clock.advance(HOUR);
  await collect();
  expect(invoicesFor(id)).toMatchObject([{ status: 'paid' }]);
  expect(chargesFor(id)).toHaveLength(1);
});
