import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { signUpVerified, verifyEmail } from '@tonerow/test-support/http.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { createShop, post } from './dashboard.ts';

/** The most that a page may move while it loads, as browsers count it. */
const MOST = 0.05;

/** The browser has it; TypeScript doesn't know it. */
interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/** Names what moved, and how many milliseconds after the page was requested, so that a failure shows why. */
interface Shift {
  after: number;
  value: number;
  moved: string[];
}

const paths = (shop: Awaited<ReturnType<typeof createShop>>) => [
  '/dashboard/customers',
  `/dashboard/customers/${shop.customerId}`,
  '/dashboard/serials',
  `/dashboard/serials/${shop.serialId}`,
  '/dashboard/serials/available',
  '/dashboard/serials/batches',
  `/dashboard/batches/${shop.batchId}`,
  '/products/edit?look=cards',
  '/products/edit?look=table',
  `/dashboard/products/${shop.productId}`,
  '/dashboard/settings/audit-log',
  '/developer/tools/licensingapi',
];

/** Notes what moves, from the start of each page. */
async function watchShifts(page: Page) {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    const placeOf = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ');
    new PerformanceObserver((list) => {
      for (const { startTime, value, sources } of list.getEntries() as LayoutShift[]) {
        const moved = sources.map(({ node, previousRect, currentRect }) => {
          const html = node instanceof Element ? node.cloneNode() : node;
          const what = html instanceof Element ? html.outerHTML : html?.textContent;
          return `${what?.slice(0, 120)} from ${placeOf(previousRect)} to ${placeOf(currentRect)}`;
        });
        shifts.push({ after: Math.round(startTime), value, moved });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Waits until a screen has loaded, and holds it to the limit. */
async function expectStill(page: Page, path: string) {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('main .skeleton, main [aria-busy=true]').filter({ visible: true }), path).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready);
  const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
  const sum = shifts.reduce((before, { value }) => before + value, 0);
  expect(sum, `${path} ${JSON.stringify(shifts, null, 1)}`).toBeLessThan(MOST);
}

describe('a screen that loads', { timeout: 180_000 }, () => {
  const { server, openPage } = browserSuite();
  let shop: Awaited<ReturnType<typeof createShop>>;

  beforeAll(async () => {
    shop = await createShop(server.url);
    // the banner of an account that waits for its address is no part of the screens
    await verifyEmail(server, shop);
  }, 120_000);

  it.each([390, 1280])('keeps its place while the list of webhooks comes late, %i wide', async (width) => {
    const developer = await signUpVerified(server);
    const reseller = await signUpVerified(server, 'reseller');
    for (const [as, path] of [
      [developer, '/developer/tools/webhooks'],
      [reseller, '/reseller/webhooks'],
    ] as const) {
      const page = await openPage({ as, width });
      await watchShifts(page);
      let late = Promise.withResolvers<void>();
      await page.route('**/api/webhooks', async (route) => {
        await late.promise;
        await route.continue();
      });
      for (const count of [0, 5]) {
        late = Promise.withResolvers<void>();
        const made = { url: 'https://shop.example.com/hooks', events: ['*'], description: 'Shop' };
        for (let n = 0; n < count; n++) await post(server.url, '/api/webhooks', made, as.token);
        await page.goto(path);
        await expect(page.getByText('Loading webhooks')).toBeVisible();
        await page.evaluate(() => document.fonts.ready);
        // two frames, so that the loading state was on the screen
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        late.resolve();
        await expectStill(page, path);
      }
      await page.context().close();
    }
  });

  it('does not change its width a frame late for people who want no motion', async () => {
    const page = await openPage({ as: shop, width: 1920 });
    await page.goto('/dashboard/settings');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const [narrow, wide] = await page.evaluate(() => {
      const main = document.querySelector('main') as HTMLElement;
      const before = getComputedStyle(main).paddingLeft;
      main.style.setProperty('--room', '600px');
      return [before, getComputedStyle(main).paddingLeft];
    });
    expect(wide).not.toBe(narrow);
  });

  it.each([390, 1280, 1920])('keeps what is there in its place, %i wide', async (width) => {
    const reseller = await signUpVerified(server, 'reseller');
    for (const [as, screens] of [
      [shop, paths(shop)],
      [reseller, ['/reseller/dashboard', '/reseller/my-deals', '/reseller/partners']],
    ] as const) {
      const page = await openPage({ as, width });
      await watchShifts(page);
      for (const path of screens) {
        await page.goto(path);
        await expectStill(page, path);
      }
      await page.context().close();
    }
  });
});
