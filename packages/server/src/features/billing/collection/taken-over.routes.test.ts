import { randomUUID } from 'node:crypto';
import { type Collecting, collectionScene, startCollection } from '@tonerow/test-support/collection.ts';
import type { StoredInvoice } from '@tonerow/test-support/stripe/store.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, TestClock } from '#platform/clock.ts';

// A database that was set back makes the statements of a month anew, with other ids and numbers. What Stripe has of the month is
// found by developer and month.

let at: Collecting;
const clock = new TestClock('2026-03-01T00:10:00Z');
beforeAll(async () => {
  at = await startCollection(clock);
});
beforeEach(() => clock.set('2026-03-01T00:10:00Z'));
afterAll(() => at.stop());

const { addCard, collect, stateOf, chargesFor, invoicesFor, owing } = collectionScene(() => at);
type Owing = Awaited<ReturnType<typeof owing>>;

/** The statement as it is made anew, and its invoice as that of another one that nobody here knows. */
async function forget(
  { id }: Owing,
  change: (invoice: StoredInvoice) => void = () => undefined,
): Promise<StoredInvoice> {
  const [invoice] = invoicesFor(id);
  if (!invoice) throw new Error('no invoice');
  invoice.metadata.statement_id = randomUUID();
  change(invoice);
  await at.server.db.query(
    `update billing_statements set state = 'rated', stripe_invoice_id = null, attempts = 0, paid_at = null, paid_by = null,
       charged_cents = null, balance_cents = null, first_failed_at = null, last_error = null, last_reason = null,
       next_attempt_at = closed_at where id = $1`,
    [id],
  );
  at.stripe.forgetKeys();
  clock.advance(3 * DAY);
  return invoice;
}

/** As invoices were made before they told their month. */
const asOlder = (invoice: StoredInvoice) => {
  delete invoice.metadata.month;
  delete invoice.metadata.number;
};
const ofMonth = (invoice: StoredInvoice) =>
  [...at.stripe.store.invoices.values()].filter(({ customer }) => customer === invoice.customer);
const differing = async (id: string) =>
  (await at.worker.deps.reconciliation.run()).differences.filter((words) => words.includes(id));

it('an invoice shows developer, month and number at Stripe', async () => {
  const { ada, id } = await owing();
  await collect();
  const [row] = await at.server.db.query<{ number: string }>('select number from billing_statements where id = $1', [
    id,
  ]);
  expect(invoicesFor(id)[0]?.metadata).toEqual({
    developer_id: ada.id,
    statement_id: id,
    month: '2026-02',
    number: row?.number,
  });
});

describe('an invoice of the month that was made for a forgotten statement', () => {
  it.each([
    ['that tells its month', () => undefined],
    ['that tells it in its description alone', asOlder],
  ])('%s and is paid, is taken over: no second invoice and no second charge', async (_, change) => {
    const owed = await owing(undefined, [1000]);
    await collect();
    const invoice = await forget(owed, change);
    expect(await differing(invoice.metadata.statement_id ?? '')).toEqual([
      expect.stringContaining('Collection takes it over, so that nothing is charged twice.'),
    ]);
    await collect();
    expect(await stateOf(owed.id)).toMatchObject({ state: 'paid' });
    expect(ofMonth(invoice)).toMatchObject([{ id: invoice.id, metadata: { statement_id: owed.id, month: '2026-02' } }]);
    expect(chargesFor(owed.id)).toHaveLength(1);
    expect(await differing(owed.id)).toEqual([]);
  });

  it('and is paid over another sum is taken over too, and told by the reconciliation', async () => {
    const owed = await owing();
    await collect();
    const invoice = await forget(owed, (each) =>
      Object.assign(each, { total: 2000, amount_due: 2000, amount_paid: 2000 }),
    );
    await collect();
    expect(await stateOf(owed.id)).toMatchObject({ state: 'paid' });
    expect(ofMonth(invoice)).toHaveLength(1);
    expect(await differing(owed.id)).toEqual([
      expect.stringContaining('is over $20.00 instead of $10.55. Refund $9.45'),
    ]);
  });

  it('and is open is charged when it is over the same sum, and replaced when it is not', async () => {
    const [same, other] = [await owing('pm_card_chargeCustomerFail'), await owing('pm_card_chargeCustomerFail')];
    await collect();
    const kept = await forget(same);
    const replaced = await forget(other, (each) => Object.assign(each, { total: 2000, amount_due: 2000 }));
    for (const { card } of [same, other]) at.stripe.behave(card?.id ?? '', 'ok');
    await collect();
    expect(ofMonth(kept)).toMatchObject([{ id: kept.id, status: 'paid' }]);
    expect(ofMonth(replaced)).toMatchObject([
      { id: replaced.id, status: 'void' },
      { status: 'paid', total: 1055 },
    ]);
    // a replaced invoice is not canceled
    await forget(other, (each) => Object.assign(each, { status: 'uncollectible' }));
    await collect();
    expect(await stateOf(other.id)).toMatchObject({ state: 'uncollectible' });
  });

  it.each(['uncollectible', 'void'] as const)('and is %s stays so, and nobody is charged', async (status) => {
    const owed = await owing('pm_card_chargeCustomerFail');
    await collect();
    const invoice = await forget(owed, (each) => Object.assign(each, { status }));
    at.stripe.behave(owed.card?.id ?? '', 'ok');
    await collect();
    expect(await stateOf(owed.id)).toMatchObject({ state: status });
    expect(ofMonth(invoice)).toHaveLength(1);
    expect(chargesFor(owed.id).filter(({ succeeded }) => succeeded)).toEqual([]);
  });

  it('and is a draft is thrown away, also when the answer to that is lost', async () => {
    const owed = await owing();
    at.stripe.fail({ call: 'POST /v1/invoices/:id/finalize', how: '500-before', times: 1 });
    await collect();
    const invoice = await forget(owed);
    at.stripe.fail({ call: 'DELETE /v1/invoices/:id', how: 'lost-after', times: 1 });
    await collect();
    clock.advance(HOUR);
    await collect();
    expect(ofMonth(invoice)).toMatchObject([{ status: 'paid', total: 1055 }]);
  });

  it('of a customer who is forgotten too is found by the address', async () => {
    const owed = await owing();
    await collect();
    const invoice = await forget(owed);
    await at.server.db.query('delete from setup_intents where developer_id = $1', [owed.ada.id]);
    await at.server.db.query('delete from billing_customers where developer_id = $1', [owed.ada.id]);
    await collect();
    expect(await stateOf(owed.id)).toMatchObject({ state: 'paid' });
    expect(ofMonth(invoice)).toHaveLength(1);
    const customers = [...at.stripe.store.customers.values()].filter(
      (each) => each.metadata.developer_id === owed.ada.id,
    );
    expect(customers).toHaveLength(1);
  });

  it('of a customer who came in place of the one known here is found as well', async () => {
    const owed = await owing('pm_card_chargeCustomerFail');
    await collect();
    const [before] = await at.server.db.query<{ id: string }>(
      'select stripe_customer_id as id from billing_customers where developer_id = $1',
      [owed.ada.id],
    );
    at.stripe.deleteCustomer(before?.id ?? '');
    await addCard(owed.ada);
    await collect();
    const charged = chargesFor(owed.id).filter(({ succeeded }) => succeeded);
    expect(charged).toHaveLength(1);
    await forget(owed);
    for (const each of invoicesFor(owed.id)) each.metadata.statement_id = randomUUID();
    await at.server.db.query('update billing_customers set stripe_customer_id = $2 where developer_id = $1', [
      owed.ada.id,
      before?.id,
    ]);
    await collect();
    expect(await stateOf(owed.id)).toMatchObject({ state: 'paid' });
    expect(chargesFor(owed.id).filter(({ succeeded }) => succeeded)).toHaveLength(1);
  });
});

it('many that were forgotten are found by one look, and none is made again', async () => {
  clock.set('2027-03-01T00:10:00Z');
  const owed: Owing[] = [];
  for (let n = 0; n < 10; n += 1) owed.push(await owing(undefined, [1000, 55], '2027-02-01'));
  await collect();
  const made = at.stripe.store.invoices.size;
  for (const [n, each] of owed.entries()) await forget(each, n % 2 === 0 ? asOlder : undefined);
  const begun = at.stripe.seen.length;
  await collect();
  expect(at.stripe.store.invoices.size).toBe(made);
  expect(at.stripe.seen.slice(begun).filter(({ call }) => call === 'POST /v1/invoices')).toEqual([]);
  for (const each of owed) expect(await stateOf(each.id)).toMatchObject({ state: 'paid' });
});
