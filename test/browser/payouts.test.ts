import type { Browser, Page } from '@playwright/test';
import { sharedBrowser } from '@tonerow/test-support/browser.ts';
import { payoutScene } from '@tonerow/test-support/payouts.ts';
import { startServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '../../packages/server/src/platform/clock.ts';
import {
  DARK_PHONE,
  expectAccessible,
  expectNoSidewaysScroll,
  openLive,
  openPage,
  screenshot,
  setLook,
} from './dashboard.ts';

/** A list is in the page twice: as a table, and as cards for phones. */
const seen = (page: Page, text: string, exact = false) =>
  page.getByText(text, { exact }).filter({ visible: true }).first();

describe('payouts in a browser', { timeout: 120_000 }, () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  let browser: Browser;
  const clock = new TestClock('2026-03-10T12:00:00Z');
  const { partners, sell, close, signIn, authed } = payoutScene(() => ({ server, clock }));

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer({ web: true, overrides: { clock } }), sharedBrowser()]);
  }, 120_000);

  afterAll(async () => {
    await server?.stop();
  });

  it('are disputed and confirmed by the reseller, answered and settled by the developer', async () => {
    const { ada, rae, product } = await partners({ rate: 20, price: 49.99 });
    const [first] = await sell(ada, product, 3);
    await authed(ada, 'POST', `/api/serials/${first}/refund`, { reason: 'Bought it twice' });
    clock.set('2026-04-01T00:10:00Z');
    await close();
    for (const person of [ada, rae]) await signIn(person);

    const shop = await openPage(browser, server.url, { as: rae });
    await openLive(shop, '/reseller/transactions?tab=payouts');
    await seen(shop, 'Sales count when the serial is redeemed.').waitFor();
    await shop.getByRole('link', { name: '2026-0001' }).filter({ visible: true }).waitFor();
    await expectAccessible(shop);
    await screenshot(shop, 'payouts-of-reseller');
    await shop.getByRole('link', { name: '2026-0001' }).filter({ visible: true }).click();
    await shop.getByRole('heading', { name: 'Statement 2026-0001' }).waitFor();
    await seen(shop, 'Not confirmed yet').waitFor();
    await seen(shop, 'Bought it twice').waitFor();
    await expectAccessible(shop);
    await screenshot(shop, 'payout-of-reseller');
    const saved = shop.waitForEvent('download');
    await shop.getByRole('button', { name: 'CSV' }).click();
    expect((await saved).suggestedFilename()).toBe('statement-2026-0001.csv');
    await shop.getByRole('button', { name: 'Dispute' }).click();
    const dialog = shop.getByRole('dialog');
    await dialog.getByLabel('What is wrong').fill('One more was refunded');
    await dialog.getByRole('button', { name: 'Dispute' }).click();
    await seen(shop, 'Disputed', true).waitFor();

    const page = await openPage(browser, server.url, { as: ada, theme: 'dark' });
    await openLive(page, '/dashboard/payouts');
    await seen(page, '$79.98 outstanding on 1 statement.').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'payouts-owed-dark');
    await page.getByRole('link', { name: '2026-0001' }).filter({ visible: true }).click();
    await seen(page, 'One more was refunded').waitFor();
    await page.getByRole('button', { name: 'Answer' }).click();
    await page.getByRole('dialog').getByLabel('Answer').fill('That one is in April');
    await page.getByRole('dialog').getByRole('button', { name: 'Send answer' }).click();
    await seen(page, 'That one is in April').waitFor();

    // by the live events, without a reload
    await seen(shop, 'That one is in April').waitFor();
    await shop.getByRole('button', { name: 'Confirm' }).click();
    await seen(shop, 'Confirmed', true).waitFor();
    await seen(page, 'Confirmed', true).waitFor();

    await page.getByRole('button', { name: 'Record payment' }).click();
    const payment = page.getByRole('dialog');
    await expect.poll(() => payment.getByLabel('Amount').inputValue()).toBe('79.98');
    await payment.getByLabel('Reference').fill('INV-7');
    await screenshot(page, 'record-payment-dark');
    // the browser's own clock is years away from the server's
    await payment.getByLabel('Paid on').fill('2026-04-01');
    await payment.getByRole('button', { name: 'Record payment' }).click();
    await seen(page, 'Complete', true).waitFor();
    await seen(page, 'INV-7').waitFor();
    await page.getByRole('button', { name: 'Reverse payment 1' }).filter({ visible: true }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Another shop’s');
    await page.getByRole('dialog').getByRole('button', { name: 'Reverse payment' }).click();
    await seen(page, 'Takes back payment 1: Another shop’s').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'payout-of-developer-dark');

    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    for (const [path, name] of [
      ['/dashboard/payouts', 'payouts-owed-phone'],
      ['/dashboard/payouts?tab=statements', 'payouts-of-developer-phone'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('link', { name: '2026-0001' }).filter({ visible: true }).first().waitFor();
      await expectNoSidewaysScroll(page);
      await screenshot(page, name);
    }
    for (const each of [shop, page]) await each.context().close();
  });

  it('are tried at another rate and price on the sales of the last months', async () => {
    const { ada, product, partnershipId } = await partners({ rate: 20, price: 49.99 });
    const page = await openPage(browser, server.url, { as: ada });
    await page.goto(`/dashboard/payouts?tab=what-if&reseller=${partnershipId}`);
    await page.getByText('No sales to compare').waitFor();
    await screenshot(page, 'what-if-empty');
    await sell(ada, product, 3);
    await page.getByRole('button', { name: 'Look at 24 months' }).click();
    await page.getByText('Enter another rate or price to compare.').waitFor();
    const row = (name: string) => page.getByRole('row', { name });
    await row('Owed to you $119.97 $119.97 $0.00').waitFor();
    await page.getByLabel('Another commission rate').fill('25');
    await page.getByText('You would have been owed $7.50 less.').waitFor();
    await row('Commission $30.00 $37.50 +$7.50').waitFor();
    await page.getByText('It takes 4 sales at these terms').waitFor();
    await page.getByLabel('Another price').fill('59,5');
    await page.getByText('You would have been owed $13.89 more.').waitFor();
    await page.getByLabel('Another commission rate').fill('200');
    await page.getByText('Enter a percentage from 0 to 100').waitFor();
    // the address has it all
    await page.reload();
    await page.getByText('You would have been owed $13.89 more.').waitFor();
    await expect.poll(() => page.getByLabel('Another price').inputValue()).toBe('59,5');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Enter another rate or price to compare.').waitFor();
    await expect.poll(() => page.getByLabel('Another price').inputValue()).toBe('');

    await page.route('**/what-if?**', (route) => route.fulfill({ status: 500, body: '{}' }));
    await page.getByLabel('Another commission rate').fill('30');
    await page.getByText("This couldn't be calculated").waitFor();
    await page.unroute('**/what-if?**');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('You would have been owed $15.00 less.').waitFor();

    await setLook(page, DARK_PHONE);
    await page.goto(`/dashboard/payouts?tab=what-if&reseller=${partnershipId}&rate=25&price=39`);
    await page.getByText('You would have been owed $32.22 less.').waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await screenshot(page, 'what-if-phone-dark');
    await page.context().close();
  });
});
