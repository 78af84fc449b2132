import { plantStatement } from '@tonerow/test-support/billing.ts';
import { type Collecting, collectionScene, startCollection } from '@tonerow/test-support/collection.ts';
import type { Person } from '@tonerow/test-support/http.ts';
import { pdfText } from '@tonerow/test-support/pdf-text.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, TestClock } from '#platform/clock.ts';

// An amount for which Stripe charges no card waits on its customer's balance, and the next invoice collects it.

let at: Collecting;
const clock = new TestClock('2026-03-01T00:10:00Z');
beforeAll(async () => {
  at = await startCollection(clock);
});
beforeEach(() => clock.set('2026-03-01T00:10:00Z'));
afterEach(() => at.stripe.heal());
afterAll(() => at.stop());

const { addCard, authed, get, collect, stateOf, logOf, invoicesFor, chargesFor, emailsTo, owing } = collectionScene(
  () => at,
);
const months = ['2025-01-01', '2025-02-01', '2025-03-01', '2025-04-01'];
/** Another month of the same developer, of so many cents. */
const another = (person: Person, cents: number, month = months[0] as string) =>
  plantStatement(at.server.db, person, { amounts: [cents], month });
const customerOf = async ({ id }: Person) => {
  const [row] = await at.server.db.query<{ id: string }>(
    'select stripe_customer_id as id from billing_customers where developer_id = $1',
    [id],
  );
  const customer = at.stripe.store.customers.get(row?.id ?? '');
  if (!customer) throw new Error('no customer');
  return customer;
};
const invoiceOf = async (person: Person, id: string) => (await get(person, `/invoices/${id}`)).body;
const charged = (id: string) => chargesFor(id).flatMap(({ succeeded, amount }) => (succeeded ? [amount] : []));
/** The developer's view of it: in the answer, on the page to print, in the PDF, in the list and as CSV. */
async function told(person: Person, id: string) {
  const { paid_by, payment } = await invoiceOf(person, id);
  const { rows } = (await get(person, '/invoices')).body;
  const listed = rows.find((row: { id: string }) => row.id === id).paid_by;
  const open = (path: string, accept = '*/*') =>
    fetch(`${at.server.url}/api/billing/invoices${path}`, {
      headers: { authorization: `Bearer ${person.token}`, accept },
    });
  const csv = await (await open('', 'text/csv')).text();
  const pdf = await open(`/${id}/pdf`);
  return {
    paid_by,
    charged: payment.charged,
    before: payment.balance_before,
    same: listed === paid_by && csv.split('\r\n').some((line) => line.includes(id) && line.includes(`,${paid_by},`)),
    page: (await (await open(`/${id}/print`)).text()).replaceAll(/<[^>]+>/g, ' '),
    pdf: pdfText(Buffer.from(await pdf.arrayBuffer())).join(' '),
    file: pdf.headers.get('content-disposition') ?? '',
  };
}

describe('how an invoice was settled is told', () => {
  it('when it was too small to charge, and when the next one collects it', async () => {
    const { ada, id } = await owing(undefined, [35]);
    await collect();
    expect(await logOf(id)).toEqual(['1 balance success']);
    const small = await told(ada, id);
    expect(small).toMatchObject({ paid_by: 'next_invoice', charged: 0, before: 0, same: true });
    expect(small.file).toContain('filename="invoice-');
    for (const paper of [small.page, small.pdf.replaceAll(/\s+/g, ' ')])
      expect(paper).toMatch(/Invoice[\s\S]*Added to your balance, collected with the next invoice/);
    expect(await emailsTo(ada)).toContain('Invoice for February 2026');
    const next = await another(ada, 100);
    await collect();
    expect(charged(next)).toEqual([135]);
    const large = await told(ada, next);
    expect(large).toMatchObject({ paid_by: 'card', charged: 1.35, before: 0.35, same: true });
    expect(large.file).toContain('filename="receipt-');
    for (const paper of [large.page, large.pdf])
      expect(paper).toMatch(
        /Receipt[\s\S]*Paid by card[\s\S]*Left on your balance by earlier months +\$0\.35[\s\S]*\$1\.35/,
      );
    expect(await emailsTo(ada)).toContain('Receipt for January 2025');
  });

  it('when a credit covered all of it, and when it covered some', async () => {
    const { ada, id } = await owing(undefined, [300]);
    // as somebody at Stripe's own pages gives it
    (await customerOf(ada)).balance = -500;
    await collect();
    const whole = await told(ada, id);
    expect(whole).toMatchObject({ paid_by: 'balance', charged: 0, before: -5, same: true });
    expect(whole.page).toContain('Paid from balance');
    expect(chargesFor(id)).toEqual([]);
    const next = await another(ada, 1000);
    await collect();
    const part = await told(ada, next);
    expect(part).toMatchObject({ paid_by: 'card', charged: 8, before: -2, same: true });
    expect(part.page).toMatch(/Taken off by the credit on your balance +\$2\.00[\s\S]*Charged to the card +\$8\.00/);
  });

  it('when somebody settled it at Stripe without a card', async () => {
    const { ada, id } = await owing('pm_card_chargeCustomerFail');
    await collect();
    expect(await told(ada, id)).toMatchObject({ paid_by: null, charged: null, before: null });
    Object.assign(invoicesFor(id)[0] ?? {}, { status: 'paid' });
    clock.advance(72 * HOUR);
    await collect();
    expect(await stateOf(id)).toMatchObject({ state: 'paid' });
    expect(await told(ada, id)).toMatchObject({ paid_by: 'elsewhere', charged: 0, same: true });
  });

  it('to an admin too, line by line with the price of each', async () => {
    const { ada, id } = await owing(undefined, [35]);
    await collect();
    await at.server.db.query('update users set is_admin = true where id = $1', [ada.id]);
    const { statement, lines } = (await authed(ada, 'GET', `/api/billing/logs/statements/${id}`)).body;
    expect(statement).toMatchObject({ paid_by: 'next_invoice', charged_cents: 0, balance_cents: 0 });
    expect(lines).toEqual([{ n: 1, description: 'Line 1', quantity: 1, unit_cents: 35, amount_cents: 35 }]);
  });
});

describe('what waits on the balance of a customer who is deleted at Stripe', () => {
  /** A developer with an amount that is too small to charge. Their customer is deleted after it. */
  async function deleted(cents = 35) {
    const { ada, card, id } = await owing(undefined, [cents]);
    await collect();
    expect((await customerOf(ada)).balance).toBe(cents);
    at.stripe.deleteCustomer(card?.customer ?? null);
    return { ada, id, old: card?.customer };
  }

  it('is owed by the next one, once', async () => {
    const { ada, old } = await deleted();
    await addCard(ada, 'pm_card_mastercard');
    expect(await customerOf(ada)).toMatchObject({ balance: 35 });
    expect((await customerOf(ada)).id).not.toBe(old);
    const next = await another(ada, 100);
    await collect();
    expect(charged(next)).toEqual([135]);
    // and it is not collected again from another customer
    at.stripe.deleteCustomer((await customerOf(ada)).id);
    await addCard(ada);
    expect(await customerOf(ada)).toMatchObject({ balance: 0 });
    const last = await another(ada, 100, months[1]);
    await collect();
    expect(charged(last)).toEqual([100]);
  });

  it('is one sum of all that was too small, however often customers are deleted', async () => {
    const { ada } = await deleted(10);
    await addCard(ada);
    await another(ada, 15);
    await collect();
    expect(await customerOf(ada)).toMatchObject({ balance: 25 });
    at.stripe.deleteCustomer((await customerOf(ada)).id);
    await addCard(ada);
    expect(await customerOf(ada)).toMatchObject({ balance: 25 });
  });

  it('is not lost in an invoice of theirs that was never paid', async () => {
    const { ada, card } = await owing('pm_card_chargeCustomerFail', [35]);
    await collect();
    const open = await another(ada, 1000);
    await collect();
    expect(invoicesFor(open)).toMatchObject([{ status: 'open', amount_due: 1035 }]);
    at.stripe.deleteCustomer(card?.customer ?? null);
    await addCard(ada, 'pm_card_mastercard');
    clock.advance(1);
    await collect();
    expect(await stateOf(open)).toMatchObject({ state: 'paid' });
    expect(charged(open)).toEqual([1035]);
    expect(await customerOf(ada)).toMatchObject({ balance: 0 });
  });

  it.each(
    (['lost-before', 'lost-after', '500-before', '500-after'] as const).flatMap((how) =>
      (['kept', 'forgotten'] as const).map((keys) => [how, keys] as const),
    ),
  )('is owed once when the answer that makes the next one does not come (%s, keys %s)', async (how, keys) => {
    const { ada } = await deleted();
    at.stripe.fail({ call: 'POST /v1/customers', how, times: 2 });
    const begin = () => authed(ada, 'POST', '/api/billing/create-setup-intent');
    expect((await begin()).status).toBe(503);
    at.stripe.heal();
    if (keys === 'forgotten') at.stripe.forgetKeys();
    clock.advance(HOUR);
    await addCard(ada, 'pm_card_mastercard');
    const next = await another(ada, 100);
    await collect();
    expect(charged(next)).toEqual([135]);
    expect(await customerOf(ada)).toMatchObject({ balance: 0 });
  });

  it('is known though the answer that said so was lost before they were deleted', async () => {
    const { ada, card, id } = await owing(undefined, [35]);
    at.stripe.fail({ call: 'POST /v1/invoices/:id/finalize', how: 'lost-after', times: 2 });
    await collect();
    expect((await stateOf(id))?.state).toBe('invoiced');
    at.stripe.heal();
    at.stripe.deleteCustomer(card?.customer ?? null);
    await addCard(ada, 'pm_card_mastercard');
    expect((await stateOf(id))?.state).toBe('paid');
    const next = await another(ada, 100);
    await collect();
    expect(charged(next)).toEqual([135]);
    expect(charged(id)).toEqual([]);
  });
});
