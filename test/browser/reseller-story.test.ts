import type { Page } from '@playwright/test';
import { browserSuite, type Theme } from '@tonerow/test-support/browser-suite.ts';
import { call, makeProduct, makeSerials, PASSWORD, signUpVerified } from '@tonerow/test-support/http.ts';
import { payoutScene } from '@tonerow/test-support/payouts.ts';
import { startServer } from '@tonerow/test-support/server.ts';
import { describe, expect, it } from 'vitest';
import { TestClock } from '../../packages/server/src/platform/clock.ts';
import { expectNoSidewaysScroll, openLive, savedBy, screenshot } from './dashboard.ts';

const RAE = 'rae@example.com';
const at = { march: new Date('2026-03-05T09:00:00Z'), april: new Date('2026-04-01T00:10:00Z') };

describe('the story of a reseller', { timeout: 300_000 }, () => {
  const clock = new TestClock('2026-03-05T09:00:00Z');
  const { server, openPage } = browserSuite(() => startServer({ web: true, overrides: { clock } }));
  const { close } = payoutScene(() => ({ server, clock }));

  /** A page whose clock is the server's. */
  const open: typeof openPage = (options) => openPage({ now: at.march, ...options });

  async function signIn(email: string, options: { theme?: Theme } = {}) {
    const page = await open({ ...options, now: at.april });
    await page.goto('/login');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('button', { name: /^Notifications/ })).toBeVisible();
    return page;
  }

  /** Redeems a serial on the redemption page, as a customer does. */
  async function redeem(developerId: string, code: string, [first, last, email]: [string, string, string]) {
    const page = await open({ width: 390 });
    await page.goto(`/redeem?dev=${developerId}`);
    await page.getByLabel('Serial').fill(code);
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('First name').fill(first);
    await page.getByLabel('Last name').fill(last);
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByRole('heading', { name: 'Your downloads' })).toBeVisible();
    await expect(page.getByText('Prism Delay').first()).toBeVisible();
    await page.context().close();
  }

  /** Every figure and row of a statement on the screen. What each side calls its own share is left out. */
  async function statementOn(page: Page) {
    const facts = await page
      .getByRole('main')
      .locator('dl > div')
      .evaluateAll((parts) =>
        parts.map((part) => [part.querySelector('dt')?.textContent, part.querySelector('dd')?.textContent]),
      );
    const rows = await page.getByRole('table', { name: 'Transactions' }).getByRole('row').allInnerTexts();
    const digest = await page.getByText(/^[0-9a-f]{64}$/).textContent();
    const own = ['You earned', 'Reseller earned', 'You owe', 'Due to you'];
    return {
      shares: facts.filter(([name]) => own.includes(name ?? '')).map(([, value]) => value),
      facts: Object.fromEntries(facts.filter(([name]) => !own.includes(name ?? ''))),
      rows: rows.map((row) => row.replace(/\s+/g, ' ')),
      digest,
    };
  }

  it('goes from the invitation to a settled month that both read the same', async () => {
    const ada = await signUpVerified(server);
    const product = await makeProduct(server, ada.token, {
      name: 'Prism Delay',
      price: 49.99,
      file_urls: [{ name: 'macOS', url: `${server.url}/favicon.svg` }],
    });
    const maker = await open({ as: ada });
    await openLive(maker, '/dashboard/resellers');
    await maker.getByRole('button', { name: 'Invite reseller' }).click();
    await maker.getByLabel('Email').fill(RAE);
    await maker.getByLabel('Commission in percent').fill('12.5');
    await maker.getByLabel('Message').fill('Sell our spring bundle?');
    await maker.getByRole('button', { name: 'Send invite' }).click();
    const sent = maker.getByRole('listitem').filter({ hasText: RAE });
    await expect(sent.getByText('Pending')).toBeVisible();

    // the reseller registers from the link of the email, and answers in the bell
    const email = await server.email((each) => each.to?.[0]?.address === RAE);
    const shop = await open();
    await shop.goto(/\/invite\?token=\S+/.exec(email.text ?? '')?.[0] as string);
    await shop.getByRole('link', { name: 'Create an account' }).click();
    await expect.poll(() => shop.getByLabel('Email', { exact: true }).inputValue()).toBe(RAE);
    await shop.getByLabel('First name').fill('Rae');
    await shop.getByLabel('Last name').fill('Shop');
    await shop.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await shop.getByLabel('Confirm password').fill(PASSWORD);
    await shop.getByLabel('Company name').fill('Plugin Shop');
    await shop.getByRole('button', { name: 'Register' }).click();
    await expect(shop.getByText('Sell our spring bundle?')).toBeVisible();
    await shop.goto('/reseller/dashboard');
    await expect(shop.getByText('1 invitation for you')).toBeVisible();
    await shop.getByRole('button', { name: 'Notifications, 1 pending' }).click();
    await screenshot(shop, 'story-bell');
    await shop.getByRole('list', { name: 'Pending invites' }).getByRole('button', { name: 'Accept' }).click();
    await expect(shop.getByText('No pending invites')).toBeVisible();
    await shop.keyboard.press('Escape');
    await expect(shop.getByText('Your sales so far, and what you can sell.')).toBeVisible();
    await expect(sent.getByText('Accepted')).toBeVisible();

    // a deal is asked for, and accepted with 500 serials
    await openLive(shop, '/reseller/my-deals');
    await shop.getByRole('button', { name: 'Request a Deal' }).click();
    const wish = shop.getByRole('dialog');
    await wish.getByRole('combobox', { name: 'Product' }).click();
    await wish.getByRole('option', { name: /Prism Delay/ }).click();
    await wish.getByLabel('Price').fill('29.99');
    await wish.getByLabel('Quantity').fill('500');
    await wish.getByLabel('Promo expires').fill('2026-04-30');
    await wish.getByLabel('Note').fill('For our spring sale');
    await wish.getByRole('button', { name: 'Send request' }).click();
    await maker.getByRole('list', { name: 'Requests for deals' }).getByRole('link', { name: 'Accept' }).click();
    await expect(maker.getByText('Generating these serials accepts the request.')).toBeVisible();
    await expect.poll(() => maker.getByLabel('Quantity').inputValue()).toBe('500');
    await expect.poll(() => maker.getByLabel('Promo price').inputValue()).toBe('29.99');
    await maker.getByLabel('Batch tag').fill('Spring');
    await maker.getByRole('button', { name: 'Generate 500 serials' }).click();
    await expect(maker.getByRole('button', { name: 'Exit' })).toBeVisible();
    await expect(shop.getByRole('region', { name: 'Current deals' }).getByText('500 available')).toBeVisible();

    // the shop draws 3 by API, with an access token of its settings
    await shop.goto('/reseller/settings#tokens');
    await shop.getByRole('button', { name: 'Create token' }).click();
    await shop.getByRole('dialog').getByLabel('Name').fill('Web shop');
    await shop.getByRole('dialog').getByText('stock:write').click();
    await shop.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    const token = (await shop.getByRole('dialog').locator('code').textContent()) ?? '';
    await shop.getByRole('button', { name: 'Done' }).click();
    await openLive(shop, '/reseller/draws');
    await expect(shop.getByText('Nothing handed out yet')).toBeVisible();
    const order = { product_id: product.id, quantity: 3, reference: 'order-1041' };
    const drawn = await call(server, 'POST', '/api/reseller/serials/draw', { token, body: order });
    expect(drawn.status, drawn.text).toBe(201);
    await expect(shop.getByText('1 draw', { exact: true })).toBeVisible();

    // and downloads 20 of another deal as CSV
    const [reseller] = (await call(server, 'GET', '/api/reseller/developer/resellers', { token: ada.token })).body;
    const given = { quantity: 20, promo_price: 19, batch_tag: 'Newsletter', reseller_id: reseller.id };
    await makeSerials(server, ada.token, product.id, given);
    await shop.goto('/reseller/my-deals');
    const newsletter = shop.getByRole('listitem').filter({ hasText: 'Newsletter' });
    await newsletter.getByRole('link', { name: 'View Details' }).click();
    const saving = await savedBy(shop.getByRole('button', { name: 'Download CSV' }));
    const lines = saving.text.trim().split('\r\n').slice(1);
    expect(lines).toHaveLength(20);
    await maker.goto(`/dashboard/resellers/${reseller.id}`);
    await expect(maker.getByText('520 serials given: 517 open, 3 handed out')).toBeVisible();
    await expect(maker.getByText('20 codes of Prism Delay')).toBeVisible();

    // a musician redeems one of each; one is refunded
    await openLive(shop, '/reseller/dashboard');
    const card = (name: string) => shop.locator('dl > div').filter({ hasText: name });
    await expect(card('Sold, Not Redeemed').getByText('3', { exact: true })).toBeVisible();
    const sold = lines[0]?.split(',')[0] as string;
    await redeem(ada.id, drawn.body.codes[0], ['Nina', 'Simone', 'nina@example.com']);
    await redeem(ada.id, sold, ['Bill', 'Evans', 'bill@example.com']);
    await expect(card('Total Redemptions').getByText('2', { exact: true })).toBeVisible();
    await expect(card('Commission Earned').getByText('$6.13', { exact: true })).toBeVisible();
    await expect(card('In Files').getByText('19', { exact: true })).toBeVisible();
    await screenshot(shop, 'story-dashboard');
    const { rows } = (await call(server, 'GET', `/api/serials?search=${sold}`, { token: ada.token })).body;
    await maker.goto(`/dashboard/serials/${rows[0].id}`);
    await maker.getByRole('button', { name: 'Refund' }).click();
    await maker.getByRole('dialog').getByLabel('Reason').fill('Bought twice');
    await maker.getByRole('dialog').getByRole('button', { name: 'Refund' }).click();
    await expect(maker.locator('[data-sonner-toast]').getByText('Refunded $19.00')).toBeVisible();
    // by the live event, without a reload
    await expect(card('Commission Earned').getByText('$3.75', { exact: true })).toBeVisible();
    await shop.goto('/reseller/transactions?tab=transactions');
    await expect(shop.getByText('Bought twice').filter({ visible: true }).first()).toBeVisible();
    for (const each of [maker, shop]) await each.context().close();

    // the month closes, the reseller confirms, the developer records the payment
    clock.set(at.april);
    expect(await close()).toMatchObject({ statements: { payout: 1 }, failed: 0 });
    const [payer, payee] = [await signIn(RAE), await signIn(ada.email, { theme: 'dark' })];
    await openLive(payer, '/reseller/transactions?tab=payouts');
    await payer.getByRole('link', { name: '2026-0001' }).filter({ visible: true }).click();
    await payer.getByRole('button', { name: 'Confirm' }).click();
    await expect(payer.getByText('Confirmed', { exact: true }).first()).toBeVisible();
    await payee.goto('/dashboard/payouts');
    await expect(payee.getByText('$26.24 outstanding on 1 statement.')).toBeVisible();
    await screenshot(payee, 'story-owed');
    await payee.getByRole('link', { name: '2026-0001' }).filter({ visible: true }).click();
    await payee.getByRole('button', { name: 'Record payment' }).click();
    const payment = payee.getByRole('dialog');
    await expect.poll(() => payment.getByLabel('Amount').inputValue()).toBe('26.24');
    await payment.getByLabel('Reference').fill('INV-7');
    await payment.getByRole('button', { name: 'Record payment' }).click();
    await expect(payee.getByText('Complete', { exact: true }).first()).toBeVisible();
    await expect(payer.getByText('Complete', { exact: true }).first()).toBeVisible();
    const [theirs, ours] = [await statementOn(payer), await statementOn(payee)];
    expect(theirs).toEqual(ours);
    // 29.99 and 19.00; 12.5% round up to 3.75 and 2.38, and the second is taken back
    expect(ours.shares).toEqual(['$0.00', '-$6.13']);
    expect(ours.facts).toMatchObject({
      'Total redemptions': '2',
      'Total revenue': '$48.99',
      'Developer owed': '$42.86',
      'Refunds and adjustments': '-$16.62',
      Due: '$26.24',
      Paid: '-$26.24',
      Outstanding: '$0.00',
    });
    expect(ours.rows).toHaveLength(4);

    for (const page of [payer, payee]) {
      await page.setViewportSize({ width: 390, height: 844 });
      await expectNoSidewaysScroll(page);
    }
    await screenshot(payee, 'story-statement-of-developer-phone');
  });
});
