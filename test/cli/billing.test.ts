import { billingScene, plantStatement } from '@tonerow/test-support/billing.ts';
import { monthScene } from '@tonerow/test-support/billing-months.ts';
import { call, PASSWORD, type Person, signUpVerified, verifyEmail } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { type StripeStandIn, startStripe } from '@tonerow/test-support/stripe/stand-in.ts';
import { openTerminal } from '@tonerow/test-support/terminal.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '../../packages/server/src/platform/clock.ts';

let server: TestServer;
let stripe: StripeStandIn;
let terminal: Awaited<ReturnType<typeof openTerminal>>;
let ada: Person;
const clock = new TestClock('2026-03-10T12:00:00Z');
const { addCard, besideIt } = billingScene(() => ({ server, stripe, clock }));
const { developer, use, close } = monthScene(() => ({ server, clock }));
beforeAll(async () => {
  stripe = await startStripe({ now: () => clock.now() });
  server = await startServer({ overrides: { clock }, env: stripe.env });
  terminal = await openTerminal(() => ({ TONEROW_URL: server.url }));
});
afterAll(async () => {
  await server.stop();
  stripe.stop();
  await terminal.close();
});

const signIn = async (person: Person) => {
  ada = person;
  const { code, err } = await terminal.piped(PASSWORD, 'login', '--email', person.email, '--password-stdin');
  expect(code, err).toBe(0);
};
/** The output of a command that succeeds. */
const out = async (...line: string[]) => {
  const { code, out: text, err } = await terminal.tonerow(...line);
  expect(code, err).toBe(0);
  return text;
};
const api = async (path: string) => (await call(server, 'GET', path, { token: ada.token })).body;
const rowsOf = (csv: string) => {
  const [head = [], ...rows] = csv
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at]])));
};

describe('tonerow plan', () => {
  it('lists plans and prices, as a table and as the API has them', async () => {
    await signIn(await signUpVerified(server));
    const text = await out('plan', 'list');
    expect(text).toMatch(/^free +Starter \(Free\) +\$0 a month +50 +capped$/m);
    expect(text).toMatch(/^pro +Pro +\$10 a month +250 +\$0\.04$/m);
    expect(await terminal.json('plan', 'list')).toEqual(await api('/api/plans'));
  });

  it('shows the plan with this month’s usage', async () => {
    expect(await out('plan', 'show')).toMatch(
      /Plan +Starter \(Free\)\nRedemptions +0 of 50 free in 2026-03\nAbove that +they stop\n/,
    );
    expect(await terminal.json('plan', 'show')).toEqual({
      plan: await api('/api/me/plan'),
      usage: await api('/api/me/usage'),
    });
  });

  it('switches only after consent, needs a card, and shows what a smaller plan means', async () => {
    await signIn(await developer('free', 120));
    await verifyEmail(server, ada);
    const cardless = await terminal.tonerow('plan', 'switch', 'pro', '--yes');
    expect([cardless.code, cardless.err]).toEqual([1, expect.stringContaining('Add a card first.')]);
    await addCard(ada);

    const unasked = await terminal.tonerow('plan', 'switch', 'pro');
    expect([unasked.code, unasked.err]).toEqual([64, expect.stringContaining('--yes')]);
    expect(unasked.err).toMatch(
      /Free redemptions +250 a month; 120 used in this one\nAbove that +\$0\.04 each\nFee of this month +\$10\.00/,
    );
    expect((await api('/api/me/plan')).slug).toBe('free');

    const switched = await terminal.tonerow('plan', 'switch', 'pro', '--yes');
    expect([switched.code, switched.err]).toEqual([0, expect.stringContaining('Your plan is now Pro.')]);
    const again = await terminal.json('plan', 'switch', 'pro', '--yes');
    expect(again).toMatchObject({ changed: false, plan: 'pro' });

    const down = await terminal.tonerow('plan', 'switch', 'free', '--yes');
    expect(down.err).toContain('no serial can be redeemed until 2026-04-01 (UTC)');
    expect(down.err).toContain('that of the dearest plan held in it');
    expect((await api('/api/me/plan')).slug).toBe('free');
    const nonsense = await terminal.tonerow('plan', 'switch', 'platinum', '--yes');
    expect([nonsense.code, nonsense.err]).toEqual([1, expect.stringContaining('There is no such plan.')]);
  });
});

describe('tonerow billing', () => {
  beforeAll(async () => {
    clock.set('2026-03-10T12:00:00Z');
    await signIn(await developer('creator', 99));
    await verifyEmail(server, ada);
    await use(ada, 3);
  });

  it('shows the running month, and a period of days, to three decimals', async () => {
    const usage = await out('billing', 'usage');
    expect(usage).toMatch(/Month \(UTC\) +2026-03\n/);
    expect(usage).toMatch(/Redemptions +102 of 100 free\nOverage +2 redemptions, \$0\.100\n/);
    expect(usage).toMatch(/Estimated total +\$0\.100\n/);
    expect(await terminal.json('billing', 'usage')).toEqual(await api('/api/billing/usage/current'));

    const period = ['--from', '2026-03-01', '--to', '2026-03-31'];
    expect(await out('billing', 'summary', ...period)).toMatch(
      /Period \(UTC\) +2026-03-01 to 2026-03-31\nRedemptions +3, overage \$0\.100\n/,
    );
    const { redemption_cost, total } = await terminal.json('billing', 'summary', ...period);
    expect([redemption_cost, total]).toEqual([0.1, 0.1]);
    const half = await terminal.tonerow('billing', 'summary', '--from', '2026-03-01');
    expect([half.code, half.err]).toEqual([64, expect.stringContaining('Give both --from and --to.')]);
    const days = rowsOf(await out('billing', 'graph', ...period, '--csv'));
    expect(days).toHaveLength(31);
    expect(days.find((day) => day['Date (UTC)'] === '2026-03-10')).toMatchObject({
      Redemptions: '3',
      'Cost (USD)': '0.10',
    });
  });

  it('has no invoice, no card and no closed month before the close', async () => {
    expect(await out('billing', 'invoices')).toBe('No invoices yet. The close of the month makes them.\n');
    expect(await terminal.json('billing', 'invoices')).toEqual([]);
    expect(await out('billing', 'card')).toBe('No card on file. Add one: tonerow billing add-card\n');
    expect(await out('billing', 'history')).toMatch(/^2026-03 .*\$0\.100 +running$/m);
  });

  it('shows a closed month the same in history, invoices and their CSVs, also in a file', async () => {
    clock.set('2026-04-01T00:10:00Z');
    await close();
    await signIn(ada);
    const [month] = await terminal.json('billing', 'history');
    expect(month).toMatchObject({ month: '2026-03', redemptions: 102, total: 0.1, closed: true });
    const [invoice, ...others] = await terminal.json('billing', 'invoices');
    expect(others).toEqual([]);
    expect(invoice).toMatchObject({ month: '2026-03', plan: 'creator', overage_redemptions: 2, total: 0.1 });
    expect(await out('billing', 'invoices')).toMatch(
      new RegExp(`^${invoice.number} +2026-03 .*\\$0\\.10 +${invoice.state} `, 'm'),
    );

    const file = terminal.file('history.csv');
    await out('billing', 'history', '--csv', '--out', file);
    const refused = await terminal.tonerow('billing', 'history', '--csv', '--out', file);
    expect(refused.code).toBe(1);
    expect(rowsOf(await out('billing', 'history', '--csv'))).toMatchObject([
      { 'Month (UTC)': '2026-03', 'Total (USD)': '0.10', Closed: 'yes' },
    ]);
    const rows = rowsOf(await out('billing', 'invoices', '--csv', '--year', '2026'));
    expect(rows).toMatchObject([{ Number: invoice.number, 'Month (UTC)': '2026-03', Total: '0.10', ID: invoice.id }]);
    expect(await terminal.json('billing', 'invoices', '--year', '2025')).toEqual([]);
    expect(await terminal.json('billing', 'invoice', invoice.number)).toMatchObject({
      id: invoice.id,
      lines: [{ quantity: 2, unit_price: 0.05, amount: 0.1 }],
    });
    const none = await terminal.tonerow('billing', 'invoice', '2026-9999');
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('There is no invoice 2026-9999.')]);
  });

  it('shows the card, which is removed only after it was agreed to and from a free plan only', async () => {
    await addCard(ada, 'pm_card_mastercard');
    expect(await out('billing', 'card')).toMatch(/Card +mastercard ending in 4444\nExpires +12\/2034\n/);
    expect(await terminal.json('billing', 'card')).toEqual({
      configured: true,
      card: { brand: 'mastercard', last4: '4444', exp_month: 12, exp_year: 2034 },
    });
    expect((await terminal.tonerow('billing', 'remove-card')).code).toBe(64);
    const needed = await terminal.tonerow('billing', 'remove-card', '--yes');
    expect([needed.code, needed.err]).toEqual([1, expect.stringContaining('Your plan needs a card.')]);
    await out('plan', 'switch', 'free', '--yes');
    await out('billing', 'remove-card', '--yes');
    expect((await terminal.json('billing', 'card')).card).toBeNull();
  });

  it('leads to the page where a payment is confirmed with the bank, and never prints its secret', async () => {
    const bea = await signUpVerified(server);
    await signIn(bea);
    const card = await addCard(bea, 'pm_card_authenticationRequired');
    const id = await plantStatement(server.db, bea, { amounts: [1000, 55] });
    await besideIt((deps) => deps.collection.run());
    const page = `${server.url}/dashboard/settings/card?invoice=${id}`;
    expect(await out('billing', 'status')).toContain(`Confirm it at  ${page}\n`);
    expect(await out('billing', 'invoice', id)).toContain(page);
    expect(await out('billing', 'confirm-payment', id)).toBe(`Confirm the payment at ${page}\n`);
    expect(await terminal.json('billing', 'confirm-payment', id)).toEqual({ status: 'to_confirm', url: page });

    const { body } = await call(server, 'POST', `/api/billing/invoices/${id}/confirm-payment`, { token: bea.token });
    const { id: payment } = stripe.confirmPayment(body.client_secret, card.id);
    stripe.authenticate(payment, true);
    expect(await out('billing', 'confirm-payment', id)).toBe('It is paid.\n');
    expect(await out('billing', 'status')).not.toContain('Confirm it at');
    const over = await terminal.tonerow('billing', 'confirm-payment', '2020-0001');
    expect([over.code, over.err]).toEqual([1, expect.stringContaining('There is no invoice 2020-0001.')]);
  });

  it('without card payments shows figures and plans, and that there are no cards', async () => {
    const plain = await startServer({ overrides: { clock } });
    const own = await openTerminal(() => ({ TONEROW_URL: plain.url }));
    const bea = await signUpVerified(plain);
    await own.piped(PASSWORD, 'login', '--email', bea.email, '--password-stdin');
    expect((await own.tonerow('billing', 'card')).out).toBe('Card payments are not configured.\n');
    expect((await own.tonerow('plan', 'switch', 'elite', '--yes')).code).toBe(0);
    expect(await own.json('billing', 'usage')).toMatchObject({ plan: 'elite', estimated_total: 20 });
    const add = await own.tonerow('billing', 'add-card');
    expect([add.code, add.err]).toEqual([1, expect.stringContaining('Card payments are not configured.')]);
    await plain.stop();
    await own.close();
  });
});
