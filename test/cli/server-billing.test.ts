import { billingScene, plantStatement } from '@tonerow/test-support/billing.ts';
import { signUpVerified } from '@tonerow/test-support/http.ts';
import { startServer, TEST_SECRET, type TestServer } from '@tonerow/test-support/server.ts';
import { serverCommand } from '@tonerow/test-support/server-command.ts';
import { type StripeStandIn, startStripe } from '@tonerow/test-support/stripe/stand-in.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: TestServer;
let stripe: StripeStandIn;
beforeAll(async () => {
  stripe = await startStripe();
  // no worker: the commands do it
  server = await startServer({ env: { ...stripe.env, TONEROW_ROLE: 'api' } });
});
afterAll(async () => {
  await server.stop();
  stripe.stop();
});

const { addCard } = billingScene(() => ({ server, stripe }));
const command = (...line: string[]) =>
  serverCommand(line, { ...stripe.env, DATABASE_URL: server.db.url, TONEROW_SECRET: TEST_SECRET });
const collected = (count: number) => expect.stringContaining(`Collected ${count} invoices.\n`);
const paidCharges = () => stripe.store.charges.filter(({ succeeded }) => succeeded).length;

/** A developer with a card who owes for a month. */
async function owing(card?: string) {
  const ada = await signUpVerified(server);
  await addCard(ada, card);
  return { ada, id: await plantStatement(server.db, ada) };
}

// each leaves nothing that the next would collect
describe('close-month', () => {
  it('does not close the running month: 64', async () => {
    const running = () => new Date().toISOString().slice(0, 7);
    let month: string;
    let code: number | null;
    // it may end in between
    do {
      month = running();
      ({ code } = await command('close-month', '--month', month));
    } while (month !== running());
    expect(code).toBe(64);
  });

  it('charges nobody in a dry run; without it, what was closed is collected once, and 0 is also when nothing is left', async () => {
    await owing();
    const rehearsed = await command('close-month', '--dry-run');
    expect([rehearsed.code, rehearsed.out]).toEqual([0, expect.not.stringContaining('Collected')]);
    expect(stripe.store.charges).toEqual([]);
    expect(await command('close-month')).toMatchObject({ code: 0, out: collected(1) });
    expect(await command('close-month')).toMatchObject({ code: 0, out: collected(0) });
    expect(paidCharges()).toBe(1);
  });

  it('ends with 1 when a charge failed, which is not due again until there is a new card', async () => {
    const before = paidCharges();
    const { ada } = await owing('pm_card_chargeCustomerFail');
    const declined = await command('close-month');
    expect(declined).toMatchObject({ code: 1, out: collected(0) });
    expect(declined.err).toContain('1 could not be charged, and 0 are tried again by the next run.');
    // not due again for some days
    expect(await command('close-month')).toMatchObject({ code: 0, out: collected(0) });
    await addCard(ada);
    expect(await command('close-month')).toMatchObject({ code: 0, out: collected(1) });
    expect(paidCharges()).toBe(before + 1);
  });

  it('ends with 1 when Stripe does not answer, and the next run collects it', async () => {
    await owing();
    stripe.fail({ call: 'GET /v1/invoices', how: '500-before', times: 9 });
    const unanswered = await command('close-month');
    stripe.heal();
    expect(unanswered).toMatchObject({ code: 1, out: collected(0) });
    expect(unanswered.err).toContain('0 could not be charged, and 1 are tried again by the next run.');
    expect(await command('close-month')).toMatchObject({ code: 0, out: collected(1) });
  });
});

describe('reconcile', () => {
  it('ends with 0 when nothing differs', async () => {
    await owing();
    expect(await command('close-month')).toMatchObject({ code: 0, out: collected(1) });
    const { code, out } = await command('reconcile');
    expect([code, out]).toEqual([0, expect.stringMatching(/^[1-9]\d* invoices? compared\. Nothing differs\.\n$/)]);
  });

  it('ends with 1 and the differences in words when something differs, and with 0 once it is mended', async () => {
    const { id } = await owing();
    expect(await command('close-month')).toMatchObject({ code: 0, out: collected(1) });
    const invoice = [...stripe.store.invoices.values()].find(({ metadata }) => metadata.statement_id === id);
    if (!invoice) throw new Error('no invoice');
    const { total } = invoice;
    invoice.total = 1;
    const found = await command('reconcile');
    expect([found.code, found.out]).toEqual([
      1,
      expect.stringContaining('Stripe’s invoice is over $0.01 instead of $10.00'),
    ]);
    invoice.total = total;
    expect(await command('reconcile')).toMatchObject({ code: 0 });
  });
});

it('collection: nothing is charged after the database was set back, until it was reconciled and released', async () => {
  await owing();
  const charges = paidCharges();
  const held = await command('collection', 'hold', '--since', '2026-01-31T23:59:00Z');
  expect(held).toMatchObject({ code: 0, out: expect.stringContaining('tonerow-server reconcile') });
  expect(await command('close-month')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nothing is charged since the database was set back.'),
  });
  expect(await command('collection', 'release')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Reconcile first'),
  });
  expect(paidCharges()).toBe(charges);
  expect((await command('reconcile')).out).toContain(
    'Nothing is charged until you run: tonerow-server collection release',
  );
  const shown = await command('collection');
  expect([shown.code, shown.out]).toEqual([1, expect.stringContaining('1 invoice over $10.00 is due')]);
  expect(await command('collection', 'release')).toMatchObject({ code: 0 });
  expect(await command('close-month')).toMatchObject({ code: 0, out: collected(1) });
});
