import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createShop,
  expectAccessible,
  expectGoodLooks,
  post,
  pressToFirstRow,
  pressToNextRecord,
  savedBy,
} from './dashboard.ts';

/** As long as a name may be: one word, emoji, and a script that is read from the right. */
const LONG = `${'Echo'.repeat(20)} 🎛️ ${'تأخير متعدد '.repeat(5)}${'x'.repeat(30)}`.slice(0, 180);

describe('the table of products', { timeout: 150_000 }, () => {
  const { server, openPage } = browserSuite();
  let shop: Awaited<ReturnType<typeof createShop>>;

  beforeAll(async () => {
    shop = await createShop(server.url);
    for (const [name, price] of [
      ['Cathedral', 59],
      [LONG, 0],
    ] as const)
      await post(server.url, '/api/products', { name, short_desc: 'x', price, file_urls: [] }, shop.token);
  }, 120_000);

  const rows = (page: Page) => page.getByRole('table', { name: 'Products' }).locator('tbody tr');

  it('is a look of its own, which the browser remembers', async () => {
    const page = await openPage({ as: shop });
    await page.goto('/products/edit');
    await page.getByRole('button', { name: 'Table' }).click();
    await page.waitForURL(/look=table/);
    await expect(rows(page)).toHaveCount(4);
    await page.goto('/products/edit');
    await expect(rows(page)).toHaveCount(4);
    await page.getByRole('button', { name: 'Cards' }).click();
    await expect(rows(page)).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Needle EQ', exact: true })).toBeVisible();
  });

  it('sorts by a column, filters with counts, and saves what it shows', async () => {
    const page = await openPage({ as: shop });
    await page.goto('/products/edit?look=table');
    await expect(rows(page)).toHaveCount(4);
    await page.getByRole('button', { name: 'Price' }).last().click();
    await page.waitForURL(/sort=-?price/);
    await page.getByRole('button', { name: 'Stock', exact: true }).first().click();
    await page.getByRole('checkbox', { name: 'No serials left 3' }).check();
    await page.waitForURL(/stock=empty/);
    await expect(rows(page)).toHaveCount(3);
    await page.reload();
    await expect(rows(page)).toHaveCount(3);
    const { text: csv } = await savedBy(page.getByRole('button', { name: 'Export CSV' }));
    expect(csv).toContain('Cathedral');
    expect(csv).not.toContain('Prism Delay');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(rows(page)).toHaveCount(4);
  });

  it('is moved through and opened with keys', async () => {
    const page = await openPage({ as: shop });
    await page.goto('/products/edit?look=table&sort=name');
    await expect(rows(page)).toHaveCount(4);
    await pressToFirstRow(page);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/dashboard\/products\//);
    await expect(page.getByRole('heading', { level: 1, name: 'Cathedral' })).toBeVisible();
  });

  it('leads from a product to the next one in its order and filter, from cards too', async () => {
    const page = await openPage({ as: shop });
    await page.goto('/products/edit?look=table&sort=name&stock=empty');
    await expect(rows(page)).toHaveCount(3);
    await page.getByRole('link', { name: 'Cathedral', exact: true }).click();
    const others = page.getByRole('navigation', { name: 'Other products' });
    await expect(others.getByText('1 of 3', { exact: true })).toBeVisible();
    await pressToNextRecord(page);
    await expect(others.getByText('2 of 3', { exact: true })).toBeVisible();
    await others.getByRole('link', { name: 'Next product' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Needle EQ' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('main').getByRole('link', { name: 'Back to Products' }).click();
    await page.waitForURL(/stock=empty/);
    await page.getByRole('button', { name: 'Cards' }).click();
    await expect(page.getByRole('link', { name: 'Needle EQ', exact: true })).toBeVisible();
    await pressToFirstRow(page);
    await page.keyboard.press('Enter');
    await expect(others.getByText('1 of 4', { exact: true })).toBeVisible();
  });

  it('looks right in both themes and widths, with the longest names', async () => {
    const page = await openPage({ as: shop });
    await page.goto('/products/edit?look=table');
    await expect(page.getByRole('link', { name: 'Needle EQ', exact: true })).toBeVisible();
    const looks = [
      ['light', 320],
      ['dark', 390],
      ['light', 1280],
      ['dark', 1920],
    ] as const;
    await expectGoodLooks(page, 'table products', { looks });
  });
});
