import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, signUp, verifyEmail } from '@tonerow/test-support/http.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  ALL_LOOKS,
  COLOR_RULES,
  createPlugin,
  createShop,
  expectGoodLooks,
  type Look,
  violationsIn,
} from './dashboard.ts';

interface Screen {
  name: string;
  path: (shop: Awaited<ReturnType<typeof createShop>>) => string;
  who: 'nobody' | 'developer' | 'reseller' | 'admin';
  /** Waits for something that the screen shows once it has loaded. */
  ready: (page: Page) => Promise<unknown>;
  /** Opens something over the screen. It is opened again in each look, because a click beside it closes it. */
  over?: (page: Page) => Promise<unknown>;
}

const heading = (name: string | RegExp) => (page: Page) =>
  expect(page.getByRole('heading', { name }).first()).toBeVisible();
const button = (name: string | RegExp) => (page: Page) =>
  expect(page.getByRole('button', { name }).locator('visible=true').first()).toBeVisible();

const screens: Screen[] = [
  { name: 'login', path: () => '/login', who: 'nobody', ready: button('Sign in') },
  { name: 'login after a session ended', path: () => '/login?reason=expired', who: 'nobody', ready: button('Sign in') },
  { name: 'forgot password', path: () => '/forgot-password', who: 'nobody', ready: button('Send the link') },
  { name: 'reset password', path: () => '/reset-password?token=x', who: 'nobody', ready: button('Save the password') },
  {
    name: 'verify email',
    path: () => '/verify-email?token=x',
    who: 'nobody',
    ready: button('Verify email address'),
  },
  {
    name: 'verify email, incomplete link',
    path: () => '/verify-email',
    who: 'nobody',
    ready: button('Send a new link'),
  },
  { name: 'code of a terminal', path: () => '/device', who: 'developer', ready: button('Continue') },
  { name: 'register', path: () => '/register', who: 'nobody', ready: button('Register') },
  { name: 'reseller register', path: () => '/reseller/register', who: 'nobody', ready: button('Register') },
  { name: 'pricing', path: () => '/pricing', who: 'nobody', ready: heading('Starter') },
  { name: 'terms', path: () => '/terms', who: 'nobody', ready: heading('Terms') },
  { name: 'not authorized', path: () => '/not-authorized', who: 'developer', ready: heading(/Access Denied/) },
  { name: 'not found', path: () => '/nothing/here', who: 'developer', ready: heading('Page not found') },
  { name: 'add product', path: () => '/products/add', who: 'developer', ready: button('Submit') },
  { name: 'products', path: () => '/products/edit', who: 'developer', ready: heading('Prism Delay') },
  {
    name: 'products, nothing found',
    path: () => '/products/edit?search=zzz',
    who: 'developer',
    ready: heading('No products found'),
  },
  {
    name: 'edit product',
    path: (shop) => `/products/edit/${shop.productId}`,
    who: 'developer',
    ready: button('Save Changes'),
  },
  { name: 'redeemed serials', path: () => '/dashboard/serials', who: 'developer', ready: button(/^Actions for/) },
  {
    name: 'redeemed serials, nothing found',
    path: () => '/dashboard/serials?search=zzz',
    who: 'developer',
    ready: heading('No serials found'),
  },
  {
    name: 'available serials',
    path: () => '/dashboard/serials/available',
    who: 'developer',
    ready: button(/Prism Delay 11 serials/),
  },
  { name: 'batches', path: () => '/dashboard/serials/batches', who: 'developer', ready: heading('Serials Hub') },
  {
    name: 'batch',
    path: (shop) => `/dashboard/batches/${shop.batchId}`,
    who: 'developer',
    ready: button('Re-export'),
  },
  {
    name: 'serial',
    path: (shop) => `/dashboard/serials/${shop.serialId}`,
    who: 'developer',
    ready: heading('History'),
  },
  {
    name: 'serial that is not there',
    path: (shop) => `/dashboard/serials/${shop.productId}`,
    who: 'developer',
    ready: heading('Serial not found'),
  },
  { name: 'customers', path: () => '/dashboard/customers', who: 'developer', ready: button('Export CSV') },
  {
    name: 'customers, nothing found',
    path: () => '/dashboard/customers?search=zzz',
    who: 'developer',
    ready: heading('No customers found.'),
  },
  { name: 'imports', path: () => '/dashboard/imports', who: 'developer', ready: heading('Nothing imported yet') },
  {
    name: 'import that is not there',
    path: (shop) => `/dashboard/imports/${shop.productId}`,
    who: 'developer',
    ready: heading('Import not found'),
  },
  {
    name: 'customer',
    path: (shop) => `/dashboard/customers/${shop.customerId}`,
    who: 'developer',
    ready: button('Export data'),
  },
  {
    name: 'analytics',
    path: () => '/dashboard/analytics',
    who: 'developer',
    ready: (page) => expect(page.getByRole('img', { name: /^Revenue by day/ })).toBeVisible(),
  },
  {
    name: 'analytics of a period without sales',
    path: () => '/dashboard/analytics?range=2020-01-01_to_2020-01-31',
    who: 'developer',
    ready: heading('No sales in this period'),
  },
  { name: 'branding', path: () => '/dashboard/settings/branding', who: 'developer', ready: button('Save Branding') },
  {
    name: 'custom domains',
    path: () => '/developer/tools/branding',
    who: 'developer',
    ready: (page) => expect(page.getByRole('textbox', { name: 'Domain' })).toBeVisible(),
  },
  { name: 'emails log', path: () => '/admin/emails', who: 'admin', ready: heading(/./) },
  { name: 'announcements', path: () => '/admin/announcements', who: 'admin', ready: button('Send Announcement') },
  { name: 'billing logs', path: () => '/admin/billing', who: 'admin', ready: heading('No billing logs yet') },
  {
    name: 'billing log of an invoice that is not there',
    path: (shop) => `/admin/billing/${shop.productId}`,
    who: 'admin',
    ready: heading('Invoice not found'),
  },
  { name: 'invoices', path: () => '/dashboard/billing/invoices', who: 'developer', ready: heading('No invoices yet') },
  { name: 'billing', path: () => '/dashboard/billing', who: 'developer', ready: heading('Billing Hub') },
  { name: 'resellers', path: () => '/dashboard/resellers', who: 'developer', ready: heading(/No reseller partners/) },
  {
    name: 'past resellers',
    path: () => '/dashboard/resellers?past=true',
    who: 'developer',
    ready: heading('No past resellers'),
  },
  {
    name: 'reseller that is not there',
    path: (shop) => `/dashboard/resellers/${shop.productId}`,
    who: 'developer',
    ready: heading('Reseller not found'),
  },
  { name: 'HISE', path: () => '/developer/tools/hise', who: 'developer', ready: button(/RSA\.xml/) },
  {
    name: 'plugin keys of HISE',
    path: () => '/developer/tools/licensingapi?tab=hise',
    who: 'developer',
    ready: button(/^Reveal/),
  },
  {
    name: 'generator',
    path: () => '/dashboard/serials/generator',
    who: 'developer',
    ready: button('Generate 10 serials'),
  },
  { name: 'tools', path: () => '/developer/tools', who: 'developer', ready: heading('Tools Hub') },
  { name: 'plugin keys', path: () => '/developer/tools/licensingapi', who: 'developer', ready: button(/^Reveal/) },
  {
    name: 'refused activations',
    path: () => '/developer/tools/refusals',
    who: 'developer',
    ready: (page) => expect(page.getByText('This machine has no seat.').locator('visible=true').first()).toBeVisible(),
  },
  {
    name: 'refused activations, nothing found',
    path: (shop) => `/developer/tools/refusals?status=churn_limit&product=${shop.productId}`,
    who: 'developer',
    ready: heading('Nothing found'),
  },
  {
    name: 'card where none are taken',
    path: () => '/dashboard/settings/card',
    who: 'developer',
    ready: (page) => expect(page.getByText('Card payments are not set up on this server.')).toBeVisible(),
  },
  { name: 'shops', path: () => '/developer/tools/shops', who: 'developer', ready: heading('No shops yet') },
  {
    name: 'kinds of shops',
    path: () => '/developer/tools/shops/new',
    who: 'developer',
    ready: (page) => expect(page.getByRole('link', { name: /WooCommerce/ })).toBeVisible(),
  },
  {
    name: 'new shop',
    path: () => '/developer/tools/shops/new?kind=shopify',
    who: 'developer',
    ready: button('Continue'),
  },
  {
    name: 'shop that is not there',
    path: (shop) => `/developer/tools/shops/${shop.productId}`,
    who: 'developer',
    ready: heading('Shop not found'),
  },
  { name: 'orders', path: () => '/dashboard/orders', who: 'developer', ready: heading('No orders yet') },
  {
    name: 'orders, nothing found',
    path: () => '/dashboard/orders?search=zzz',
    who: 'developer',
    ready: heading('No orders found'),
  },
  {
    name: 'order that is not there',
    path: (shop) => `/dashboard/orders/${shop.productId}`,
    who: 'developer',
    ready: heading('Order not found'),
  },
  { name: 'settings', path: () => '/dashboard/settings', who: 'developer', ready: button('Logout') },
  { name: 'plan and billing', path: () => '/dashboard/settings#plan', who: 'developer', ready: heading('Creator') },
  { name: 'access tokens', path: () => '/dashboard/settings#tokens', who: 'developer', ready: button('Create token') },
  {
    name: 'command palette',
    path: () => '/products/edit',
    who: 'developer',
    ready: heading('Prism Delay'),
    over: async (page) => {
      await page.keyboard.press('Control+k');
      await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible();
    },
  },
  {
    name: 'notifications',
    path: () => '/products/edit',
    who: 'developer',
    ready: heading('Prism Delay'),
    over: async (page) => {
      await page.getByRole('button', { name: /^Notifications/ }).click();
      await expect(page.getByText('No pending invites')).toBeVisible();
    },
  },
  {
    name: 'import',
    path: () => '/dashboard/serials',
    who: 'developer',
    ready: button('Import CSV'),
    over: async (page) => {
      await page.getByRole('button', { name: 'Import CSV' }).click();
      await expect(page.getByRole('dialog').getByRole('button', { name: /^Import/ })).toBeVisible();
    },
  },
  { name: 'reseller settings', path: () => '/reseller/settings', who: 'reseller', ready: button('Logout') },
  {
    name: 'developers of a reseller',
    path: () => '/reseller/partners',
    who: 'reseller',
    ready: heading(/No developer partners/),
  },
  {
    name: 'developers of a reseller, nothing found',
    path: () => '/reseller/partners?search=zzz',
    who: 'reseller',
    ready: heading('No developers found'),
  },
  {
    name: 'developer that is not there',
    path: (shop) => `/reseller/developers/${shop.productId}`,
    who: 'reseller',
    ready: heading('Developer not found'),
  },
  { name: 'reseller products', path: () => '/reseller/products', who: 'reseller', ready: heading(/Product Hub/) },
  { name: 'reseller deals', path: () => '/reseller/my-deals', who: 'reseller', ready: button('Request a Deal') },
  {
    name: 'till with nothing to sell',
    path: () => '/reseller/till',
    who: 'reseller',
    ready: heading('Nothing to sell now'),
  },
  { name: 'reseller shops', path: () => '/reseller/shops', who: 'reseller', ready: heading('No shops yet') },
  { name: 'reseller orders', path: () => '/reseller/orders', who: 'reseller', ready: heading('No orders yet') },
  { name: 'reseller dashboard', path: () => '/reseller/dashboard', who: 'reseller', ready: heading(/Welcome/) },
];

describe('every screen of the dashboard', () => {
  const { server, openPage } = browserSuite();
  let shop: Awaited<ReturnType<typeof createShop>>;
  /** One for each kind of person, whose browser has the code of the screens by then. */
  let pages: Record<Screen['who'], Page>;

  beforeAll(async () => {
    shop = await createShop(server.url);
    const ask = await createPlugin(server.url, shop.token);
    await ask('validate', { license_key: shop.codes[0], machine_id: 'STUDIO-MAC', version: '2.1.0' });
    const reseller = await signUp(server, 'reseller');
    const admin = await signUp(server);
    await server.db.query('update users set is_admin = true where email = $1', [admin.email]);
    pages = {
      nobody: await openPage(),
      developer: await openPage({ as: shop }),
      reseller: await openPage({ as: reseller }),
      admin: await openPage({ as: admin }),
    };
  });

  it.each(screens)(
    '$name is accessible and does not scroll sideways, in both themes, on a desk and on a phone',
    {
      timeout: 120_000,
    },
    async ({ name, who, path, ready, over }) => {
      const page = pages[who];
      // every other screen is loaded on a phone, where the one before it was left
      const atDesk = page.viewportSize()?.width === 1280;
      const looks: Look[] = atDesk ? [...ALL_LOOKS] : [...ALL_LOOKS].reverse();
      await page.goto(path(shop));
      await ready(page);
      const open = async () => {
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).not.toBeAttached();
        await over?.(page);
      };
      await expectGoodLooks(page, name.replaceAll(/\W+/g, '-'), { looks, ...(over ? { open } : {}) });
    },
  );

  it('leads from what is not there, and what one may not see, back by the menus of the account', async () => {
    const page = await openPage({ as: shop });
    const menu = page.getByRole('navigation', { name: 'Main', exact: true });
    for (const path of [
      '/nothing/here',
      '/dashboard/nothing-here',
      '/dashboard/settings/nothing-here',
      '/products/nothing-here',
      '/products/edit/one/two',
      '/developer/tools/nothing-here',
      '/not-authorized',
    ]) {
      await page.goto(path);
      await heading(/not found|Access Denied/)(page);
      await menu.getByRole('link', { name: 'Analytics' }).click();
      await page.waitForURL('**/dashboard/analytics');
    }
  });

  it('has its frame before its code has come, for whoever is signed in', async () => {
    const page = await openPage({ as: shop });
    const held = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto('/dashboard/customers', { waitUntil: 'commit' });
    const cold = page.locator('.cold');
    // nothing is painted before the styles have come, but the frame can be measured
    const size = async () => {
      const box = await cold.locator('> div').first().boundingBox();
      return [box?.width, box?.height];
    };
    await expect.poll(size).toEqual([224, 860]);
    await page.goto('/pricing', { waitUntil: 'commit' });
    await expect.poll(() => cold.evaluate((frame) => getComputedStyle(frame).display)).toBe('none');
    held.resolve();
    await heading('Starter')(page);
  });

  it('shows the first row of a list in the first screen of a phone, and filters in a sheet', async () => {
    const page = await openPage({ as: shop, width: 390 });
    // not for who begins: their first steps and their mailbox come before the list
    await verifyEmail(server, shop);
    await call(server, 'PATCH', '/api/account/first-steps', { token: shop.token, body: { hidden: true } });
    for (const path of ['/dashboard/serials', '/dashboard/customers', '/dashboard/serials/batches']) {
      await page.goto(path);
      const row = page
        .locator('#content li')
        .filter({ has: page.locator('[data-row-link]') })
        .first();
      await expect(row).toBeVisible();
      const box = await row.boundingBox();
      expect((box?.y ?? 999) + (box?.height ?? 0), path).toBeLessThan(844);
    }
    await page.goto('/dashboard/serials');
    await page.getByRole('button', { name: 'Filters' }).click();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await sheet.getByText('Status', { exact: true }).click();
    await sheet.getByRole('checkbox', { name: 'Active 1' }).check();
    await page.waitForURL(/status=active/);
    await expectGoodLooks(page, 'filters-sheet', {
      looks: [
        ['dark', 390],
        ['light', 390],
      ],
    });
    await sheet.getByRole('button', { name: 'Show the list' }).click();
    await expect(sheet).not.toBeAttached();
    await expect(page.getByRole('button', { name: 'Filters 1' })).toBeVisible();
  });

  it('has a way from the keyboard over search and filters to the rows of a table', async () => {
    const page = await openPage({ as: shop });
    await page.goto('/dashboard/serials');
    await expect(page.getByRole('button', { name: /^Actions for/ }).first()).toBeVisible();
    const skip = page.getByRole('button', { name: 'Skip to the table' });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect.poll(() => skip.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('href')))
      .toBe(`/dashboard/serials/${shop.serialId}`);
    await page.goto('/developer/tools');
    await heading('Tools Hub')(page);
    expect(await skip.count()).toBe(0);
  });

  it('are looked at by rules that find what is wrong, also what is so in one theme alone', async () => {
    const page = await openPage();
    const found = async (rules?: string[]) => (await violationsIn(page, rules)).map(({ id }) => id);
    await page.goto('/not-authorized');
    await heading(/Access Denied/)(page);
    await page.evaluate(() => {
      document.querySelector('h1')?.insertAdjacentHTML('afterend', '<img src="/favicon.svg"><p>Only in the light</p>');
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('p { color: #000 } .dark p { color: #1a1a1a }');
      document.adoptedStyleSheets.push(sheet);
    });
    expect([await found(), await found(COLOR_RULES)]).toEqual([['image-alt'], []]);
    await page.evaluate(() => document.documentElement.classList.add('dark'));
    expect([await found(), await found(COLOR_RULES)]).toEqual([['color-contrast', 'image-alt'], ['color-contrast']]);
  });
});
