import type { Locator, Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { verifyEmail } from '@tonerow/test-support/http.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createShop,
  expectAccessible,
  expectGoodLooks,
  expectNoSidewaysScroll,
  expectToast,
  holdToast,
  post,
  pressToFirstRow,
  pressToNextRecord,
  pressUntil,
  redeem,
  savedBy,
  screenshot,
  setLook,
} from './dashboard.ts';

const looks = [
  ['light', 1280],
  ['dark', 390],
  ['dark', 1280],
  ['light', 1920],
] as const;
const REDEEMED = 26;

describe('the table of redeemed serials', { timeout: 150_000 }, () => {
  const { server, openPage } = browserSuite();
  let shop: Awaited<ReturnType<typeof createShop>>;
  let page: Page;

  beforeAll(async () => {
    shop = await createShop(server.url);
    await verifyEmail(server, shop);
    await setPlan(server.db, { plan: 'elite', accountId: shop.id });
    const reverb = await post<{ id: string }>(
      server.url,
      '/api/products',
      { name: 'Cathedral Reverb with a name that is longer than most', short_desc: 'x', price: 9, file_urls: [] },
      shop.token,
    );
    const { serials } = await post<{ serials: { code: string }[] }>(
      server.url,
      '/api/serials/generate',
      { product_id: reverb.id, quantity: REDEEMED - 1 },
      shop.token,
    );
    for (const [at, { code }] of serials.entries()) await redeem(server.url, code, `listener.${at}@example.com`);
    await server.db.query('update serials set download_count = 5 where id = $1', [shop.serialId]);
    page = await openPage({ as: shop });
  }, 120_000);

  /** The table on a page. */
  const show = async (path = '', at = page) => {
    await at.goto(`/dashboard/serials${path}`);
    await expect(at.getByText(/^\d+ redeemed serials?/).first()).toBeVisible();
    return at;
  };
  /** The table in a browser of its own, for what a browser remembers. */
  const open = async (path = '') => show(path, await openPage({ as: shop }));
  const rows = (page: Page) => page.getByRole('table', { name: 'Redeemed serials' }).locator('tbody tr');
  /** The link of a row to its serial. */
  const serialIn = (row: Locator) => row.getByRole('link', { name: /^[A-Z0-9]{4}-[A-Z0-9-]+$/ });

  it('looks right in both themes, on a phone and on a wide screen', async () => {
    await show();
    await expectGoodLooks(page, 'table redeemed', { looks });
    await setLook(page, ['light', 1280]);
  });

  it('shows all of a serial in a row at 1280: what it is, to copy, revoke and reset it, and its price', async () => {
    await show('?search=mara%40example.com');
    const row = rows(page).first();
    const box = page.getByRole('region', { name: 'Redeemed serials' });
    await expect.poll(() => box.evaluate((table) => table.scrollWidth - table.clientWidth)).toBe(0);
    for (const name of [/^Revoke /, /^Copy /, /^Reset downloads \(\$0\.03\) of /, /^Actions for /])
      expect(await row.getByRole('button', { name }).boundingBox(), String(name)).toMatchObject({
        y: expect.any(Number),
      });
    await expect(row.getByText('5/5', { exact: true })).toBeVisible();
    await expect(row.getByText('Limit reached', { exact: true })).toBeVisible();
    await row.getByRole('button', { name: /^Copy / }).click();
    await expect(row.getByRole('button', { name: /^Copied / })).toBeVisible();
    await page.setViewportSize({ width: 1120, height: 860 });
    // no column is lost where there is no room for all of them
    await expect.poll(() => box.evaluate((table) => getComputedStyle(table).overflowX)).toBe('auto');
    await row.getByRole('button', { name: /^Actions for / }).scrollIntoViewIfNeeded();
    await expectNoSidewaysScroll(page);
    await setLook(page, ['light', 1280]);
  });

  it('sorts by a column, in the address, and back', async () => {
    await show();
    await page.getByRole('button', { name: 'Total' }).click();
    await page.waitForURL(/sort=-total/);
    await expect.poll(() => rows(page).first().textContent()).toContain('mara@example.com');
    await expect
      .poll(() => page.getByRole('columnheader', { name: 'Total' }).getAttribute('aria-sort'))
      .toBe('descending');
    await page.getByRole('button', { name: 'Total' }).click();
    await expect.poll(() => rows(page).first().textContent()).toContain('listener.24@example.com');
    await page.goBack();
    await page.goBack();
    await page.waitForURL((url) => !url.search.includes('sort'));
  });

  it('filters by what is chosen with its count, leaves out, and keeps it over a reload', async () => {
    await show();
    await page.getByRole('button', { name: 'Status', exact: true }).click();
    const choice = page.getByRole('checkbox', { name: 'Limit reached 1' });
    await choice.check();
    await page.waitForURL(/status=download_limit/);
    await expect(rows(page)).toHaveCount(1);
    await screenshot(page, 'table filter light-1280');
    await page.getByRole('button', { name: 'Leave out Limit reached' }).click();
    await page.waitForURL(/status=-download_limit/);
    await page.keyboard.press('Escape');
    await expect(page.getByText('25 redeemed serials').first()).toBeVisible();
    await page.reload();
    await expect(page.getByText('25 redeemed serials').first()).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(page.getByText('26 redeemed serials').first()).toBeVisible();
  });

  it('hides a column, and remembers it', async () => {
    const page = await open();
    const total = page.getByRole('columnheader', { name: 'Total' });
    await expect(total).toBeVisible();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Total' }).uncheck();
    await expect(total).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('columnheader', { name: 'Product' })).toBeVisible();
    await expect(total).toHaveCount(0);
  });

  it('is moved through, selected from and opened with keys', async () => {
    await show();
    await pressToFirstRow(page);
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await expect(page.getByText('1 serial selected')).toBeVisible();
    const second = rows(page).nth(1);
    await expect(second.getByRole('checkbox')).toBeChecked();
    const code = await serialIn(second).textContent();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: code ?? 'none' })).toBeVisible();
    await page.goBack();
    await expect(page.getByText('26 redeemed serials').first()).toBeVisible();
    await pressUntil(page, 'c', async () => /serials\/generator/.test(page.url()));
  });

  it('leads from a serial to the next one in its order and filter, over pages and a reload, and back to its row', async () => {
    await show('?sort=customer&status=-download_limit');
    await expect(page.getByText('25 redeemed serials').first()).toBeVisible();
    await pressToFirstRow(page);
    await page.keyboard.press('Enter');
    const others = page.getByRole('navigation', { name: 'Other serials' });
    const at = (words: string) => expect(others.getByText(words, { exact: true })).toBeVisible();
    await at('1 of 25');
    await pressUntil(page, 'k', async () => (await others.getByText('The first one', { exact: true }).count()) > 0);
    await at('The first one');
    await page.goBack();
    await serialIn(rows(page).nth(18)).click();
    await at('19 of 25');
    // to the last one of the table's page, and to the first of the next page
    for (const step of [20, 21]) {
      await pressToNextRecord(page);
      await at(`${step} of 25`);
    }
    await page.reload();
    await at('21 of 25');
    await expectAccessible(page);
    await screenshot(page, 'record 21 of 25 light-1280');
    for (let step = 22; step <= 25; step += 1) {
      await others.getByRole('link', { name: 'Next serial' }).press('Enter');
      await at(`${step} of 25`);
    }
    await others.getByRole('link', { name: 'Next serial' }).press('Enter');
    await at('The last one');
    const path = new URL(page.url()).pathname;
    await page.getByRole('main').getByRole('link', { name: 'Serials', exact: true }).click();
    await page.waitForURL(/sort=customer.*page=2|page=2.*sort=customer/);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('href')), { timeout: 10_000 })
      .toBe(path);
  });

  it('changes all that match at once, after their number and the price', async () => {
    await show('?dateRange=1m');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Select all 26 serials' }).click();
    await expect(page.getByText('All 26 serials selected')).toBeVisible();
    await page.getByRole('button', { name: 'Reset downloads…' }).click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog.getByText('25 serials would stay as they are.')).toBeVisible();
    await screenshot(page, 'table reset all light-1280');
    await dialog.getByRole('button', { name: 'Reset downloads of 1 serial ($0.03)' }).click();
    await expectToast(page, 'This cost $0.03.');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Select all 26 serials' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await dialog.getByRole('button', { name: 'Revoke 26 serials' }).click();
    await expect(rows(page).getByText('Revoked', { exact: true })).toHaveCount(20);
  });

  it('keeps its head and its bar in sight', async () => {
    await show();
    await rows(page).last().scrollIntoViewIfNeeded();
    const head = await page.getByRole('columnheader', { name: 'Email' }).boundingBox();
    const bar = await page.getByRole('checkbox', { name: 'Select all on this page' }).boundingBox();
    expect([Math.round(head?.y ?? 0) >= 56, (head?.y ?? 999) < 160, (bar?.y ?? 0) >= 56]).toEqual([true, true, true]);
    expect(bar?.y ?? 999).toBeLessThan(head?.y ?? 0);
  });

  it('has its like for customers', async () => {
    await page.goto('/dashboard/customers');
    await expect(page.getByText('listener.24@example.com').locator('visible=true').first()).toBeVisible();
    await expectGoodLooks(page, 'table customers', { looks });
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'State' })).toBeVisible();
    await setLook(page, ['light', 1280]);
  });

  it('sorts, filters and selects customers in the same way, and revokes what they own', async () => {
    await server.db.query('update serials set revoked_at = now() where id = $1', [shop.serialId]);
    await page.goto('/dashboard/customers?sort=signup_date');
    const people = page.getByRole('table', { name: 'Customers' }).locator('tbody tr');
    await expect.poll(() => people.first().textContent()).toContain('mara@example.com');
    await page.getByRole('button', { name: 'Product', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Prism Delay 1' }).check();
    await page.waitForURL(/product=/);
    await page.keyboard.press('Escape');
    await expect(people).toHaveCount(1);
    expect(await people.first().textContent()).toContain('mara@example.com');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await expect(page.getByText('1 customer selected')).toBeVisible();
    await page.getByRole('button', { name: 'Reassign serials' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'Reassign 1 serial' }).click();
    await expectToast(page, 'Reassigned 1 serial.');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Select all 26 customers' }).click();
    expect((await savedBy(page.getByRole('button', { name: 'Export all' }))).name).toBe('customers.csv');
  });

  it('has its like for stock and batches, with filters, changes of all that match, and keys', async () => {
    await page.goto('/dashboard/serials/batches');
    await expect(page.getByText('3 batches').first()).toBeVisible();
    await expectGoodLooks(page, 'table batches');
    await page.goto('/dashboard/serials/available?view=list');
    await expect(page.getByText('14 serials').locator('visible=true').first()).toBeVisible();
    await expectGoodLooks(page, 'table stock');
    await setLook(page, ['light', 1280]);
    const stock = page.getByRole('table', { name: 'Available serials' }).locator('tbody tr');
    await page.getByRole('button', { name: 'Batch', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Black Friday 3' }).check();
    await page.keyboard.press('Escape');
    await expect(stock).toHaveCount(3);
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await expect(page.getByText('1 serial selected')).toBeVisible();
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'Delete 1 serial' }).click();
    await expect(stock).toHaveCount(2);
    await page.goto('/dashboard/serials/batches?sort=-quantity');
    const batches = page.getByRole('table', { name: 'Batches' }).locator('tbody tr');
    await expect.poll(() => batches.first().textContent()).toContain('Cathedral Reverb');
    await page.getByRole('button', { name: 'Status', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Used up 1' }).check();
    await expect(batches).toHaveCount(1);
  });

  it('changes and exports the serials of all batches that match, also of those on other pages', async () => {
    for (let n = 0; n < 22; n += 1)
      await post(
        server.url,
        '/api/serials/generate',
        { product_id: shop.productId, quantity: 2, batch_tag: `Fair ${n}` },
        shop.token,
      );
    await page.goto('/dashboard/serials/batches?search=fair');
    const batches = page.getByRole('table', { name: 'Batches' }).locator('tbody tr');
    await expect(batches).toHaveCount(20);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Select all 22 batches' }).click();
    const download = await savedBy(page.getByRole('button', { name: /^Export/ }).last());
    const lines = download.text.split('\r\n').filter(Boolean);
    expect([lines.length, new Set(lines).size]).toEqual([45, 45]);
    await page.getByRole('button', { name: 'Revoke the unredeemed' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke 44 serials' }).click();
    const revoked = async () =>
      (
        await server.db.query(
          "select 1 from serials s join batches b on b.id = s.batch_id where b.developer_id = $1 and b.batch_tag like 'Fair%' and s.revoked_at is not null",
          [shop.id],
        )
      ).length;
    const notice = await holdToast(page, 'Revoked 44 serials');
    await expect.poll(revoked).toBe(44);
    await notice.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(revoked).toBe(0);
  });

  it('keeps a filter, an order and columns as a view, in every browser of the account', async () => {
    const page = await open('?sort=-total');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Product' }).uncheck();
    await page.getByRole('checkbox', { name: 'Batch' }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'Save as a new view…' }).click();
    await page.getByLabel('Name').fill('Dearest first');
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('button', { name: 'View: Dearest first', exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Total' }).click();
    await expect(page.getByRole('button', { name: 'View: Dearest first, modified' })).toBeVisible();
    await page.context().close();

    const other = await open();
    await expectGoodLooks(other, 'views', {
      async open() {
        await other.keyboard.press('Escape');
        await expect(other.getByRole('button', { name: 'Dearest first' })).not.toBeAttached();
        await other.getByRole('button', { name: 'Views' }).click();
        await expect(other.getByRole('button', { name: 'Dearest first' })).toBeVisible();
      },
    });
    await other.getByRole('button', { name: 'Dearest first' }).click();
    await other.waitForURL(/sort=-total/);
    await setLook(other, ['light', 1280]);
    await expect(other.getByRole('columnheader', { name: 'Product' })).toHaveCount(0);
    await expect(other.getByRole('columnheader', { name: 'Batch' })).toBeVisible();
    await other.getByRole('button', { name: 'View: Dearest first' }).click();
    await other.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(other.locator('[data-sonner-toast]').getByText('Deleted the view Dearest first')).toBeVisible();
    // the button may still have its name from before it was deleted
    const restored = other.waitForResponse(
      (answer) => answer.request().method() === 'POST' && new URL(answer.url()).pathname === '/api/views',
    );
    await other.locator('[data-sonner-toast]').getByRole('button', { name: 'Undo' }).click();
    expect((await restored).status()).toBe(201);
    await expect(other.getByRole('button', { name: 'View: Dearest first' })).toBeVisible();
  });

  it('gives a serial to another customer from its row, and the serial’s page has it', async () => {
    await show('?search=mara%40example.com');
    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Change owner…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email of the new owner').fill('not an address');
    await dialog.getByRole('button', { name: 'Change the owner' }).click();
    await expect.poll(() => dialog.getByLabel('Email of the new owner').getAttribute('aria-invalid')).toBe('true');
    await expectAccessible(page);
    await screenshot(page, 'change owner light-1280');
    await dialog.getByLabel('Email of the new owner').fill('otis@example.com');
    await dialog.getByRole('button', { name: 'Change the owner' }).click();
    await expectToast(page, 'Moved to otis@example.com.');
    await page.goto(`/dashboard/serials/${shop.serialId}`);
    await expect(page.getByText('Moved here from mara@example.com')).toBeVisible();
    await expect(page.getByText('otis@example.com').first()).toBeVisible();
    await page.goto(`/dashboard/batches/${shop.batchId}`);
    await page.getByRole('button', { name: 'Change dates' }).click();
    await page.getByLabel('Serials expire').fill('2999-12-31');
    await screenshot(page, 'extend batch light-1280');
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.locator('[data-sonner-toast]').getByText(/can be redeemed until/)).toBeVisible();
  });

  it('shows long names of every script whole, without scrolling the page sideways', async () => {
    const name = `${'🎛️ مرحبا بالعالم '.repeat(7)}${'Donaudampfschifffahrtsgesellschaft'.repeat(2)}`.slice(0, 180);
    await server.db.query(
      `update customers set first_name = $1, last_name = $2 where developer_id = $3 and email = 'listener.24@example.com'`,
      [name.slice(0, 90), 'W'.repeat(90), shop.id],
    );
    await server.db.query('update products set name = $1 where id = $2', [name, shop.productId]);
    await server.db.query(`update batches set batch_tag = $1 where developer_id = $2 and batch_tag = 'Black Friday'`, [
      name.slice(0, 100),
      shop.id,
    ]);
    const widths = [320, 1024, 1920];
    const actions = () =>
      expect(
        page
          .getByRole('button', { name: /^Actions for/ })
          .locator('visible=true')
          .first(),
      ).toBeVisible();
    for (const path of [
      '/dashboard/serials',
      '/dashboard/serials/available?view=list',
      '/dashboard/serials/batches',
      '/dashboard/customers',
    ]) {
      await page.goto(path);
      for (const width of widths) {
        await setLook(page, ['light', width]);
        await actions();
        await expectNoSidewaysScroll(page);
        if (path.endsWith('customers')) await screenshot(page, `table long names light-${width}`);
      }
      // the next one is loaded in the width that this one ends with
      widths.reverse();
    }
    for (const path of [
      `/dashboard/products/${shop.productId}`,
      '/products/edit',
      `/dashboard/batches/${shop.batchId}`,
      `/dashboard/serials/${shop.serialId}`,
      `/dashboard/customers/${shop.customerId}`,
      '/dashboard/analytics',
      '/dashboard/billing',
    ]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      for (const width of widths) {
        await setLook(page, ['light', width]);
        await expect(page.locator('main .skeleton').locator('visible=true'), path).toHaveCount(0);
        await expectNoSidewaysScroll(page);
        await expect.poll(() => page.evaluate(squeezed), { message: `${path} at ${width}` }).toEqual([]);
      }
      widths.reverse();
    }
  });
});

/** Text that has so little room beside its neighbors that it becomes a column of letters. */
const squeezed = () =>
  [...document.querySelectorAll('main *')]
    .filter((element) => {
      const words = [...element.childNodes].some((node) => node.nodeType === 3 && (node.nodeValue ?? '').length > 8);
      const { width, height } = element.getBoundingClientRect();
      return words && width > 0 && width < 60 && height > 130;
    })
    .map((element) => element.textContent);
