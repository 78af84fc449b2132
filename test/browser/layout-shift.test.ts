import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { startServer } from '../support/server.ts';
import { createPerson, createShop, openPage } from './dashboard.ts';

/** What a page may move by while it loads, as browsers count it. */
const MOST = 0.05;

const paths = (shop: Awaited<ReturnType<typeof createShop>>) => [
  '/dashboard/customers',
  `/dashboard/customers/${shop.customerId}`,
  '/dashboard/serials',
  `/dashboard/serials/${shop.serialId}`,
  '/dashboard/serials?tab=available',
  '/dashboard/serials?tab=batches',
  `/dashboard/batches/${shop.batchId}`,
  '/products/edit?look=cards',
  '/products/edit?look=table',
  `/dashboard/products/${shop.productId}`,
  '/dashboard/settings/audit-log',
  '/developer/tools/licensingapi',
];

describe('a screen that loads', { timeout: 180_000 }, () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  let browser: Browser;
  let shop: Awaited<ReturnType<typeof createShop>>;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer({ web: true }), launchBrowser()]);
    shop = await createShop(server.url);
    // the banner of an account that waits for its address is no part of the screens
    await server.db.query('update users set email_verified_at = now()');
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it.each([390, 1280, 1920])('keeps what is there in its place, %i wide', async (width) => {
    const reseller = await createPerson(server.url, 'reseller');
    await server.db.query('update users set email_verified_at = now()');
    for (const [as, screens] of [
      [shop, paths(shop)],
      [reseller, ['/reseller/dashboard', '/reseller/my-deals', '/reseller/partners']],
    ] as const) {
      const page = await openPage(browser, server.url, { as, width });
      await page.addInitScript(() => {
        const shifts: number[] = [];
        Object.assign(window, { shifts });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
        }).observe({ type: 'layout-shift', buffered: true });
      });
      for (const path of screens) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await expect
          .poll(() => page.locator('main .skeleton, main [aria-busy=true]').filter({ visible: true }).count(), {
            message: path,
          })
          .toBe(0);
        await page.evaluate(() => document.fonts.ready);
        const moved = await page.evaluate(() =>
          (window as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0),
        );
        expect(moved, path).toBeLessThan(MOST);
      }
      await page.context().close();
    }
  });
});
