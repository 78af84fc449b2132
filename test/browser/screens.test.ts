import type { Browser, Page } from '@playwright/test';
import { beforeAll, describe, it } from 'vitest';
import { sharedBrowser } from '../support/browser.ts';
import { type SharedServer, sharedServer } from '../support/server.ts';
import {
  createPerson,
  createPlugin,
  createShop,
  expectAccessible,
  expectNoSidewaysScroll,
  openPage,
  type Person,
  screenshot,
} from './dashboard.ts';

interface Screen {
  name: string;
  path: (shop: Awaited<ReturnType<typeof createShop>>) => string;
  who: 'nobody' | 'developer' | 'reseller' | 'admin';
  /** What is on the screen once it has loaded. */
  ready: (page: Page) => Promise<unknown>;
}

const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).first().waitFor();
const button = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).locator('visible=true').first().waitFor();

const screens: Screen[] = [
  { name: 'login', path: () => '/login', who: 'nobody', ready: button('Log in') },
  { name: 'login after a session ended', path: () => '/login?reason=expired', who: 'nobody', ready: button('Log in') },
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
    path: () => '/dashboard/serials?tab=available',
    who: 'developer',
    ready: button(/Prism Delay 11 serials/),
  },
  { name: 'batches', path: () => '/dashboard/serials?tab=batches', who: 'developer', ready: heading('Serials Hub') },
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
    ready: (page) => page.getByRole('img', { name: /^Revenue by day/ }).waitFor(),
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
    ready: (page) => page.getByRole('textbox', { name: 'Domain' }).waitFor(),
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
    path: () => '/dashboard/serials?tab=generator',
    who: 'developer',
    ready: button('Generate 10 serials'),
  },
  { name: 'tools', path: () => '/developer/tools', who: 'developer', ready: heading('Tools Hub') },
  { name: 'plugin keys', path: () => '/developer/tools/licensingapi', who: 'developer', ready: button(/^Reveal/) },
  {
    name: 'refused activations',
    path: () => '/developer/tools/refusals',
    who: 'developer',
    ready: (page) => page.getByText('This machine has no seat.').locator('visible=true').first().waitFor(),
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
    ready: (page) => page.getByText('Card payments are not set up on this server.').waitFor(),
  },
  { name: 'settings', path: () => '/dashboard/settings', who: 'developer', ready: button('Create token') },
  {
    name: 'command palette',
    path: () => '/products/edit',
    who: 'developer',
    ready: async (page) => {
      await heading('Prism Delay')(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('option').first().waitFor();
    },
  },
  {
    name: 'notifications',
    path: () => '/products/edit',
    who: 'developer',
    ready: async (page) => {
      await heading('Prism Delay')(page);
      await page.getByRole('button', { name: /^Notifications/ }).click();
      await page.getByText('No pending invites').waitFor();
    },
  },
  {
    name: 'import',
    path: () => '/dashboard/serials',
    who: 'developer',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Import CSV' }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Import/ })
        .waitFor();
    },
  },
  { name: 'reseller settings', path: () => '/reseller/settings', who: 'reseller', ready: button('Create token') },
  {
    name: 'reseller partners',
    path: () => '/reseller/partners',
    who: 'reseller',
    ready: heading(/No developer partners/),
  },
  {
    name: 'partners, nothing found',
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
  { name: 'reseller dashboard', path: () => '/reseller/dashboard', who: 'reseller', ready: heading(/Welcome/) },
];

describe('every screen of the dashboard', () => {
  let server: SharedServer;
  let browser: Browser;
  let shop: Awaited<ReturnType<typeof createShop>>;
  let reseller: Person;
  let admin: Person;

  beforeAll(async () => {
    [server, browser] = await Promise.all([sharedServer({ web: true }), sharedBrowser()]);
    shop = await createShop(server.url);
    const ask = await createPlugin(server.url, shop.token);
    await ask('validate', { license_key: shop.codes[0], machine_id: 'STUDIO-MAC', version: '2.1.0' });
    reseller = await createPerson(server.url, 'reseller');
    admin = await createPerson(server.url);
    await server.db.query('update users set is_admin = true where email = $1', [admin.email]);
  }, 120_000);

  describe.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)('in the %s theme, %i wide', (theme, width) => {
    it.each(screens)('$name is accessible and does not scroll sideways', { timeout: 30_000 }, async (screen) => {
      const person = { nobody: undefined, developer: shop, reseller, admin }[screen.who];
      const page = await openPage(browser, server.url, { theme, width, ...(person ? { as: person } : {}) });
      await page.goto(screen.path(shop));
      await screen.ready(page);
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await screenshot(page, `${screen.name.replaceAll(/\W+/g, '-')}.${theme}-${width}`);
      await page.context().close();
    });
  });
});
