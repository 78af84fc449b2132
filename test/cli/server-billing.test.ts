import { afterAll, beforeAll, expect, it } from 'vitest';
import { billingScene, plantStatement } from '../support/billing.ts';
import { run } from '../support/command.ts';
import { signUpVerified } from '../support/http.ts';
import { startServer, TEST_SECRET, type TestServer } from '../support/server.ts';
import { type StripeStandIn, startStripe } from '../support/stripe/stand-in.ts';

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
  run(process.execPath, ['packages/server/dist/bin.js', ...line], {
    env: { ...stripe.env, DATABASE_URL: server.db.url, TONEROW_SECRET: TEST_SECRET },
  });
const collected = (count: number) => expect.stringContaining(`Collected ${count} invoices.\n`);

it('close-month collects what it closes: 1 when a charge failed, 0 when it was paid or nothing is left, 64 for the running month', async () => {
  const running = new Date().toISOString().slice(0, 7);
  expect((await command('close-month', '--month', running)).code).toBe(64);
  const ada = await signUpVerified(server);
  await addCard(ada, 'pm_card_chargeCustomerFail');
  await plantStatement(server.db, ada);
  const rehearsed = await command('close-month', '--dry-run');
  expect([rehearsed.code, rehearsed.out]).toEqual([0, expect.not.stringContaining('Collected')]);
  expect(stripe.store.charges).toEqual([]);

  const declined = await command('close-month');
  expect(declined).toMatchObject({ code: 1, out: collected(0) });
  expect(declined.err).toContain('1 could not be charged, and 0 are tried again by the next run.');
  // not due again for some days
  expect(await command('close-month')).toMatchObject({ code: 0, out: collected(0) });
  await addCard(ada);
  expect(await command('close-month')).toMatchObject({ code: 0, out: collected(1) });
  expect(await command('close-month')).toMatchObject({ code: 0, out: collected(0) });
  expect(stripe.store.charges.filter(({ succeeded }) => succeeded)).toHaveLength(1);

  await plantStatement(server.db, ada, { month: '2026-01-01' });
  stripe.fail({ call: 'GET /v1/invoices', how: '500-before', times: 9 });
  const unanswered = await command('close-month');
  stripe.heal();
  expect(unanswered).toMatchObject({ code: 1, out: collected(0) });
  expect(unanswered.err).toContain('0 could not be charged, and 1 are tried again by the next run.');
  expect(await command('close-month')).toMatchObject({ code: 0, out: collected(1) });
});

it('reconcile ends with 0 when nothing differs, and with 1 and the differences in words when something does', async () => {
  expect(await command('reconcile')).toMatchObject({ code: 0, out: '2 invoices compared. Nothing differs.\n' });
  const [invoice] = stripe.store.invoices.values();
  const total = invoice?.total;
  Object.assign(invoice ?? {}, { total: 1 });
  const found = await command('reconcile');
  expect([found.code, found.out]).toEqual([
    1,
    expect.stringContaining('Stripe’s invoice is over $0.01 instead of $10.00'),
  ]);
  Object.assign(invoice ?? {}, { total });
  expect(await command('reconcile')).toMatchObject({ code: 0 });
});
