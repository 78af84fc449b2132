import { beside } from '@tonerow/test-support/beside.ts';
import { run } from '@tonerow/test-support/command.ts';
import { call, makeProduct, makeSerials, PASSWORD, redeem } from '@tonerow/test-support/http.ts';
import { startServer, TEST_SECRET, type TestServer } from '@tonerow/test-support/server.ts';
import { type StripeStandIn, startStripe } from '@tonerow/test-support/stripe/stand-in.ts';
import { openTerminal } from '@tonerow/test-support/terminal.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient, type LiveEvent, watchEvents } from '../../packages/sdk/src/index.ts';
import { TestClock } from '../../packages/server/src/platform/clock.ts';

const ADA = 'ada@example.com';
const ADMIN = 'ops@example.com';
let server: TestServer;
let stripe: StripeStandIn;
let ada: Awaited<ReturnType<typeof openTerminal>>;
let ops: Awaited<ReturnType<typeof openTerminal>>;
const clock = new TestClock('2026-03-05T09:00:00Z');
const watching = new AbortController();
beforeAll(async () => {
  stripe = await startStripe({ now: () => clock.now() });
  server = await startServer({ overrides: { clock }, env: stripe.env });
  const settings = () => ({ TONEROW_URL: server.url });
  [ada, ops] = [await openTerminal(settings), await openTerminal(settings)];
});
afterAll(async () => {
  watching.abort();
  await server.stop();
  stripe.stop();
  await Promise.all([ada.close(), ops.close()]);
});

const register = async (terminal: typeof ada, email: string) => {
  const who = ['--email', email, '--first-name', 'Ada', '--last-name', 'Row', '--company', 'Row Audio'];
  expect((await terminal.piped(`${PASSWORD}\n`, 'register', 'developer', ...who, '--password-stdin')).code).toBe(0);
  const token = /token=([\w.-]+)/.exec((await emailTo(email, /verify/i)).text ?? '')?.[1];
  expect((await call(server, 'POST', '/api/auth/verify-email', { body: { token } })).status).toBe(200);
};
const emailTo = (email: string, subject: RegExp) =>
  server.email((message) => message.to?.[0]?.address === email && subject.test(`${message.subject}`));
const done = async (running: Promise<{ code: number | null; out: string; err: string }>) => {
  const { code, out, err } = await running;
  expect(code, err).toBe(0);
  return out;
};
const signIn = (terminal: typeof ada, email: string) =>
  done(terminal.piped(PASSWORD, 'login', '--email', email, '--password-stdin'));

/** Collects the live events from now on. */
async function listen(token: string) {
  const heard: LiveEvent[] = [];
  await new Promise<void>((open, refused) => {
    const watch = async () => {
      const api = createClient({ baseUrl: server.url, token });
      const onState = (state: string) => state === 'open' && open();
      for await (const event of watchEvents(api, { signal: watching.signal, onState })) heard.push(event);
    };
    watch().catch(refused);
  });
  return heard;
}

/** As in the dashboard: the terminal begins, and the browser enters the card at Stripe. */
const enterCard = async (token: string) =>
  stripe.enterCard((await ada.json('billing', 'add-card')).client_secret, token);

it('takes a new user from a free plan through its cap, overage and a declined charge to a paid month, and an admin finds all of it', async () => {
  await register(ada, ADA);
  const { token, user: account } = (
    await call(server, 'POST', '/api/auth/login', { body: { email: ADA, password: PASSWORD } })
  ).body;
  const heard = await listen(token);
  const rang = (part: object) => expect.poll(() => heard).toContainEqual(expect.objectContaining(part));
  const product = await makeProduct(server, token, { name: 'Prism Delay' });
  const serials = await makeSerials(server, token, product.id, { quantity: 110 });
  const next = () => redeem(server, serials.pop()?.code as string, 'nina@example.com', account.id);
  const redeemed = async (count: number) => {
    for (let n = 0; n < count; n += 1) expect((await next()).status).toBe(200);
  };

  // the cap
  await redeemed(50);
  const refused = await next();
  expect([refused.status, refused.body.code]).toEqual([403, 'quota_reached']);
  await emailTo(ADA, /80% of this month/);
  await emailTo(ADA, /Redemptions have stopped/);
  await emailTo(ADA, /A customer could not redeem/);
  await rang({ type: 'usage', data: expect.objectContaining({ kind: 'redemption_refused', redemptions: 50 }) });
  expect(await done(ada.tonerow('billing', 'usage'))).toContain('50 of 50 free; capped at limit');

  // a card, another plan, overage, and a larger plan
  const cardless = await ada.tonerow('plan', 'switch', 'creator', '--yes');
  expect([cardless.code, cardless.err]).toEqual([1, expect.stringContaining('Add a card first.')]);
  await enterCard('pm_card_chargeCustomerFail');
  expect(await done(ada.tonerow('billing', 'card'))).toContain('visa ending in 0341');
  await done(ada.tonerow('plan', 'switch', 'creator', '--yes'));
  await rang({ type: 'usage', data: expect.objectContaining({ kind: 'plan_switched', plan: 'creator' }) });
  await redeemed(52);
  await done(ada.tonerow('plan', 'switch', 'pro', '--yes'));
  await redeemed(1);
  expect(await ada.json('billing', 'usage')).toMatchObject({
    used: 103,
    overage_redemptions: 2,
    overage_cost: 0.1,
    subscription_fee: 10,
    estimated_total: 10.1,
  });
  await emailTo(ADA, /Your plan is now Pro/);

  // the month is closed, and its charge is declined; it ends this late, or a job of the server could close it before
  const closed = await beside({ server, clock, env: stripe.env }, async (deps) => {
    clock.set('2026-04-01T00:10:00Z');
    return { ...(await deps.closings.run()), collected: await deps.collection.run() };
  });
  expect(closed).toMatchObject({ months: 1, failed: 0, collected: { paid: 0, failed: 1 } });
  const declined = await emailTo(ADA, /Your payment for March 2026 did not go through/);
  expect(declined.text).toContain('$10.10');
  await rang({
    type: 'billing',
    data: expect.objectContaining({ what: 'failed', number: '2026-0001', month: '2026-03', amount_cents: 1010 }),
  });
  await signIn(ada, ADA);
  const attention = await done(ada.tonerow('billing', 'status'));
  expect(attention).toMatch(/Account +needs attention\nOwed +\$10\.10\nWhy +Your card was declined\./);

  // another card, and it is paid at once, without anybody doing more
  clock.set('2026-04-01T00:20:00Z');
  await enterCard('pm_card_mastercard');
  expect(await done(ada.tonerow('billing', 'card'))).toContain('mastercard ending in 4444');
  const invoices = () => ada.json('billing', 'invoices');
  await expect.poll(async () => (await invoices())[0]?.state, { timeout: 20_000 }).toBe('paid');
  await emailTo(ADA, /Receipt for March 2026/);
  await rang({
    type: 'billing',
    data: expect.objectContaining({ what: 'paid', number: '2026-0001', month: '2026-03', amount_cents: 1010 }),
  });
  expect(await done(ada.tonerow('billing', 'status'))).toMatch(/Account +active\nOwed +\$0\.00\n/);
  expect(stripe.store.charges.map(({ amount, succeeded }) => [amount, succeeded])).toEqual([
    [1010, false],
    [1010, true],
  ]);

  // the month is one number wherever it is read
  const [invoice] = await invoices();
  const shown = await ada.json('billing', 'invoice', '2026-0001');
  const [march] = (await ada.json('billing', 'history')).filter(({ month }: { month: string }) => month === '2026-03');
  expect([invoice.total, shown.total, march.total]).toEqual([10.1, 10.1, 10.1]);
  expect(shown.lines.map(({ amount }: { amount: number }) => amount)).toEqual([10, 0.1]);
  const totals = await Promise.all(
    [
      ['billing', 'history', '--csv'],
      ['billing', 'invoices', '--csv'],
    ].map(async (line) => /10\.10/.test(await done(ada.tonerow(...line)))),
  );
  expect(totals).toEqual([true, true]);
  const paper = await done(ada.tonerow('billing', 'export-invoice', '2026-0001', '--format', 'html'));
  expect(paper).toContain('$10.10');

  // an admin finds the whole story, and nobody else does
  const theirs = await ada.tonerow('billing-log', 'list');
  expect([theirs.code, theirs.err]).toEqual([1, expect.stringMatching(/admin|not allowed|permission/i)]);
  await register(ops, ADMIN);
  const command = ['packages/server/dist/bin.js', 'admin', 'grant', ADMIN];
  const granted = await run(process.execPath, command, {
    env: { DATABASE_URL: server.db.url, TONEROW_SECRET: TEST_SECRET },
  });
  expect(granted.code, granted.err).toBe(0);
  const { logs } = await ops.json('billing-log', 'list', '--month', '2026-03');
  expect(
    logs.map((row: { email: string; number: string; status: string }) => [row.email, row.number, row.status]),
  ).toEqual([
    [ADA, '2026-0001', 'success'],
    [ADA, '2026-0001', 'failed'],
  ]);
  const story = await done(ops.tonerow('billing-log', 'show', logs[0].statement_id));
  expect(story).toMatch(/State +paid\nTotal +\$10\.10\nCharges +2\n/);
  expect(story).toMatch(/Paid by +card\n/);
  expect(story).toMatch(/Redemptions above the quota, March 2026 \(UTC\) +2 +\$0\.05 +\$0\.10\n/);
  expect(story).toContain('Your card was declined.');
  expect(story).toContain('Pro');
  const charged = await done(ops.tonerow('billing-log', 'list', '--month', '2026-03', '--csv'));
  expect(charged.trim().split('\r\n')).toHaveLength(3);
  expect(await done(ops.tonerow('billing-log', 'differences', '--csv'))).toBe(
    'Time (UTC),Developer ID,Email,Invoice,Month (UTC),Invoice ID,Stripe Invoice ID,Difference\r\n',
  );
}, 120_000);
