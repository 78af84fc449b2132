import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { payoutScene } from '@tonerow/test-support/payouts.ts';
import { startServer } from '@tonerow/test-support/server.ts';
import { describe, expect, it } from 'vitest';
import { TestClock } from '../../packages/server/src/platform/clock.ts';
import {
  DARK_PHONE,
  expectAccessible,
  expectNoSidewaysScroll,
  openLive,
  savedBy,
  screenshot,
  setLook,
} from './dashboard.ts';

/** A list is in the page twice: as a table, and as cards for phones. */
const seen = (page: Page, text: string, exact = false) =>
  page.getByText(text, { exact }).filter({ visible: true }).first();

describe('payouts in a browser', { timeout: 120_000 }, () => {
  const clock = new TestClock('2026-03-10T12:00:00Z');
  const { server, openPage } = browserSuite(() => startServer({ web: true, overrides: { clock } }));
  const { partners, sell, close, signIn, authed } = payoutScene(() => ({ server, clock }));

  it('are disputed and confirmed by the reseller, answered and settled by the developer', async () => {
    const { ada, rae, product } = await partners({ rate: 20, price: 49.99 });
    const [first] = await sell(ada, product, 3);
    await authed(ada, 'POST', `/api/serials/${first}/refund`, { reason: 'Bought it twice' });
    clock.set('2026-04-01T00:10:00Z');
    await close();
    for (const person of [ada, rae]) await signIn(person);

    const shop = await openPage({ as: rae });
    await openLive(shop, '/reseller/transactions?tab=payouts');
    await expect(seen(shop, 'Sales count when the serial is redeemed.')).toBeVisible();
    await expect(shop.getByRole('link', { name: '2026-0001' }).filter({ visible: true })).toBeVisible();
    await expectAccessible(shop);
    await screenshot(shop, 'payouts-of-reseller');
    await shop.getByRole('link', { name: '2026-0001' }).filter({ visible: true }).click();
    await expect(shop.getByRole('heading', { name: 'Statement 2026-0001' })).toBeVisible();
    await expect(seen(shop, 'Not confirmed yet')).toBeVisible();
    await expect(seen(shop, 'Bought it twice')).toBeVisible();
    await expectAccessible(shop);
    await screenshot(shop, 'payout-of-reseller');
    expect((await savedBy(shop.getByRole('button', { name: 'CSV' }))).name).toBe('statement-2026-0001.csv');
    await shop.getByRole('button', { name: 'Dispute' }).click();
    const dialog = shop.getByRole('dialog');
    await dialog.getByLabel('What is wrong').fill('One more was refunded');
    await dialog.getByRole('button', { name: 'Dispute' }).click();
    await expect(seen(shop, 'Disputed', true)).toBeVisible();

    const page = await openPage({ as: ada, theme: 'dark' });
    await openLive(page, '/dashboard/payouts');
    await expect(seen(page, '$79.98 outstanding on 1 statement.')).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'payouts-owed-dark');
    await page.getByRole('link', { name: '2026-0001' }).filter({ visible: true }).click();
    await expect(seen(page, 'One more was refunded')).toBeVisible();
    await page.getByRole('button', { name: 'Answer' }).click();
    await page.getByRole('dialog').getByLabel('Answer').fill('That one is in April');
    await page.getByRole('dialog').getByRole('button', { name: 'Send answer' }).click();
    await expect(seen(page, 'That one is in April')).toBeVisible();

    // by the live events, without a reload
    await expect(seen(shop, 'That one is in April')).toBeVisible();
    await shop.getByRole('button', { name: 'Confirm' }).click();
    await expect(seen(shop, 'Confirmed', true)).toBeVisible();
    await expect(seen(page, 'Confirmed', true)).toBeVisible();

    await page.getByRole('button', { name: 'Record payment' }).click();
    const payment = page.getByRole('dialog');
    await expect.poll(() => payment.getByLabel('Amount').inputValue()).toBe('79.98');
    await payment.getByLabel('Reference').fill('INV-7');
    await screenshot(page, 'record-payment-dark');
    // the browser's own clock is years away from the server's
    await payment.getByLabel('Paid on').fill('2026-04-01');
    await payment.getByRole('button', { name: 'Record payment' }).click();
    await expect(seen(page, 'Complete', true)).toBeVisible();
    await expect(seen(page, 'INV-7')).toBeVisible();
    await page.getByRole('button', { name: 'Reverse payment 1' }).filter({ visible: true }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Another shop’s');
    await page.getByRole('dialog').getByRole('button', { name: 'Reverse payment' }).click();
    await expect(seen(page, 'Takes back payment 1: Another shop’s')).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'payout-of-developer-dark');

    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    for (const [path, name] of [
      ['/dashboard/payouts', 'payouts-owed-phone'],
      ['/dashboard/payouts?tab=statements', 'payouts-of-developer-phone'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole('link', { name: '2026-0001' }).filter({ visible: true }).first()).toBeVisible();
      await expectNoSidewaysScroll(page);
      await screenshot(page, name);
    }
  });

  it('are tried at another rate and price on the sales of the last months', async () => {
    const { ada, product, partnershipId } = await partners({ rate: 20, price: 49.99 });
    const page = await openPage({ as: ada });
    await page.goto(`/dashboard/payouts?tab=what-if&reseller=${partnershipId}`);
    await expect(page.getByText('No sales to compare')).toBeVisible();
    await screenshot(page, 'what-if-empty');
    await page.getByRole('button', { name: 'Look at 24 months' }).click();
    await expect(page.getByRole('button', { name: 'Look at 24 months' })).toHaveCount(0);
    // the page learns of the sales by itself
    await sell(ada, product, 3);
    await expect(page.getByText('Enter another rate or price to compare.')).toBeVisible();
    const row = (name: string) => page.getByRole('row', { name });
    await expect(row('Owed to you $119.97 $119.97 $0.00')).toBeVisible();
    await page.getByLabel('Another commission rate').fill('25');
    await expect(page.getByText('You would have been owed $7.50 less.')).toBeVisible();
    await expect(row('Commission $30.00 $37.50 +$7.50')).toBeVisible();
    await expect(page.getByText('It takes 4 sales at these terms')).toBeVisible();
    await page.getByLabel('Another price').fill('59,5');
    await expect(page.getByText('You would have been owed $13.89 more.')).toBeVisible();
    await page.getByLabel('Another commission rate').fill('200');
    await expect(page.getByText('Enter a percentage from 0 to 100')).toBeVisible();
    // the address has it all
    await page.reload();
    await expect(page.getByText('You would have been owed $13.89 more.')).toBeVisible();
    await expect.poll(() => page.getByLabel('Another price').inputValue()).toBe('59,5');
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect(page.getByText('Enter another rate or price to compare.')).toBeVisible();
    await expect.poll(() => page.getByLabel('Another price').inputValue()).toBe('');

    await page.route('**/what-if?**', (route) => route.fulfill({ status: 500, body: '{}' }));
    await page.getByLabel('Another commission rate').fill('30');
    await expect(page.getByText("This couldn't be calculated")).toBeVisible();
    await page.unroute('**/what-if?**');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText('You would have been owed $15.00 less.')).toBeVisible();

    await setLook(page, DARK_PHONE);
    await page.goto(`/dashboard/payouts?tab=what-if&reseller=${partnershipId}&rate=25&price=39`);
    await expect(page.getByText('You would have been owed $32.22 less.')).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await screenshot(page, 'what-if-phone-dark');
  });
});
