import type { Page } from '@playwright/test';
import { plantStatement } from '@tonerow/test-support/billing.ts';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, makeProduct, makeSerials } from '@tonerow/test-support/http.ts';
import { makePartners } from '@tonerow/test-support/partners.ts';
import { plantPayout } from '@tonerow/test-support/payouts.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { createShop, expectGoodLooks } from './dashboard.ts';

describe('the palette', { timeout: 120_000 }, () => {
  const { server, openPage } = browserSuite();
  let shop: Awaited<ReturnType<typeof createShop>>;

  beforeAll(async () => {
    shop = await createShop(server.url);
  }, 120_000);

  const box = (page: Page) => page.getByRole('dialog').getByRole('combobox');
  const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name }).first();

  /** Opens it, unless it is open, types, and leaves it open. */
  async function type(page: Page, text: string) {
    // pressed once: the key that opens it closes it again, also while its code is still being loaded
    if (!(await box(page).isVisible())) await page.keyboard.press('Control+k');
    await box(page).fill(text);
  }

  /** Chooses what leads to another screen, until the palette is gone. */
  async function choose(page: Page, name: RegExp) {
    await option(page, name).click();
    await expect(box(page)).not.toBeAttached();
  }

  it('keeps what is typed before its code is there', async () => {
    const page = await openPage({ as: shop });
    const released = Promise.withResolvers<void>();
    // from the first, because a slow page loads the palette's code by itself before the key is pressed
    await page.route('**/*.js', async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      if (body.includes('Search and commands')) await released.promise;
      await route.fulfill({ response, body });
    });
    await page.goto('/dashboard/analytics');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('gs pay');
    released.resolve();
    await expect.poll(() => box(page).inputValue()).toBe('gs pay');
    expect(new URL(page.url()).pathname).toBe('/dashboard/analytics');
  });

  it('understands a last block, an id, a tag and a day', async () => {
    const page = await openPage({ as: shop });
    await page.goto('/dashboard/analytics');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const code = shop.codes[0] as string;
    await type(page, code.slice(-4).toLowerCase());
    await expect(option(page, new RegExp(code))).toBeVisible();
    await type(page, shop.customerId);
    await expect(option(page, /mara@example.com/)).toBeVisible();
    await type(page, 'black fri');
    await choose(page, /Black Friday.*Prism Delay · 3 serials/);
    await page.waitForURL('**/dashboard/batches/*');
    await type(page, 'today');
    await choose(page, /Serials redeemed then/);
    await page.waitForURL(/\/dashboard\/serials\?dateRange=\d{4}-\d\d-\d\d_to_/);
    await expect(page.getByText('1 redeemed serial').first()).toBeVisible();
  });

  it('shows only what a chip asks for', async () => {
    const page = await openPage({ as: shop });
    await page.goto('/dashboard/customers');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const chip = (pressed: boolean) => page.getByRole('button', { name: 'Products', exact: true, pressed });
    const open = async () => {
      await page.keyboard.press('Escape');
      await expect(box(page)).not.toBeAttached();
      await type(page, 'pr');
      await expect(option(page, 'Prism Delay')).toBeVisible();
      await expect(option(page, 'Pricing')).toBeVisible();
      await chip(false).click();
      await expect(option(page, 'Pricing')).toHaveCount(0);
      await expect(option(page, 'Prism Delay')).toBeVisible();
    };
    await expectGoodLooks(page, 'palette chips', { open });
    await chip(true).click();
    await expect(option(page, 'Pricing')).toBeVisible();
  });

  it('does what an action is called, on the screen that does it', async () => {
    const page = await openPage({ as: shop });
    await page.goto('/dashboard/serials');
    await expect(page.getByText('1 redeemed serial').first()).toBeVisible();
    await type(page, 'import available');
    await page.keyboard.press('Enter');
    await page.waitForURL(/serials\/available/);
    await expect(page.getByRole('dialog', { name: 'Import available serials' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      (async () => {
        await type(page, 'export customers');
        await page.keyboard.press('Enter');
      })(),
    ]);
    expect(download.suggestedFilename()).toBe('customers.csv');
    await expect(box(page)).not.toBeAttached();
    await type(page, 'create plugin key');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog').getByLabel('Label')).toBeVisible();
  });

  it('finds orders, products and developers for a reseller', async () => {
    const { developer, reseller, partnershipId } = await makePartners(server);
    const product = await makeProduct(server, developer.token, { name: 'Spring Tank' });
    await makeSerials(server, developer.token, product.id, { reseller_id: partnershipId, quantity: 3 });
    const drawn = await call(server, 'POST', '/api/reseller/serials/draw', {
      token: reseller.token,
      body: { product_id: product.id, reference: 'SHOP 4711', quantity: 2 },
    });
    expect(drawn.status, drawn.text).toBe(201);
    const page = await openPage({ as: reseller });
    await page.goto('/reseller/dashboard');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await type(page, 'spring');
    await expect(option(page, /Spring Tank/)).toBeVisible();
    await type(page, '4711');
    await option(page, /SHOP 4711.*2 codes/).click();
    await expect(page.getByRole('heading', { name: 'SHOP 4711' })).toBeVisible();
  });

  it('leads from the number of a statement or an invoice to it', async () => {
    const { id: statement } = await plantPayout(server.db, shop.id);
    const invoice = await plantStatement(server.db, shop, { number: '2026-0001' });
    const page = await openPage({ as: shop });
    await page.goto('/dashboard/customers');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectGoodLooks(page, 'palette numbers', {
      async open() {
        await page.keyboard.press('Escape');
        await expect(box(page)).not.toBeAttached();
        await type(page, 'invoice 2026-1');
        await expect(option(page, /Invoice 2026-0001/)).toBeVisible();
      },
    });
    await choose(page, /Invoice 2026-0001/);
    await page.waitForURL(`**/dashboard/billing/invoices/${invoice}`);
    await type(page, '2026-0001');
    await choose(page, /Statement 2026-0001/);
    await page.waitForURL(`**/dashboard/payouts/${statement}`);
  });
});
