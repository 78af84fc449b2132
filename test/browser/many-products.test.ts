import type { Locator, Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { screenshot } from './dashboard.ts';

const COUNT = 10_000;

describe('a developer with 10,000 products', { timeout: 120_000 }, () => {
  const { server, openPage } = browserSuite();
  let ada: Person;
  let page: Page;

  beforeAll(async () => {
    ada = await signUpVerified(server);
    const first = await makeProduct(server, ada.token, { name: 'Prism Delay', price: 40 });
    const [serial] = await makeSerials(server, ada.token, first.id, { quantity: 3 });
    await redeem(server, serial?.code as string, 'nina@example.com', ada.id);
    await plant(first.id);
    page = await openPage({ as: ada });
  }, 120_000);

  afterEach(() => page?.unrouteAll({ behavior: 'wait' }));

  /** Each with a batch, and redeemed yesterday. */
  async function plant(like: string) {
    const { db } = server;
    await db.query(
      `insert into products select (p).* from (
         select jsonb_populate_record(p, jsonb_build_object('id', ('01990000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
           'name', 'Plugin ' || i, 'name_key', 'plugin ' || i)) as p
         from products p, generate_series(2, $2::int) i where p.id = $1) planted`,
      [like, COUNT],
    );
    await db.query(
      `insert into batches (id, developer_id, product_id, origin, quantity, created_at)
       select gen_random_uuid(), developer_id, id, 'generate', 1, now() from products where developer_id = $1 and id <> $2`,
      [ada.id, like],
    );
    await db.query(
      `insert into ledger_days select (d).* from (
         select jsonb_populate_record(d, jsonb_build_object('product_id', p.id)) as d
         from ledger_days d, products p where d.developer_id = $1 and p.developer_id = $1 and p.id <> $2) planted`,
      [ada.id, like],
    );
    await db.query('analyze');
  }

  /** The bytes that the page requests from the server during an act. */
  async function asked(page: Page, act: () => Promise<void>) {
    const answers: { path: string; bytes: number }[] = [];
    const waiting: Promise<void>[] = [];
    const listen = (response: Awaited<ReturnType<Page['waitForResponse']>>) => {
      const { pathname } = new URL(response.url());
      if (!pathname.startsWith('/api/') || pathname === '/api/events') return;
      const take = (body: Buffer) => void answers.push({ path: pathname, bytes: body.length });
      // one that was given up has no body
      waiting.push(response.body().then(take, () => undefined));
    };
    page.on('response', listen);
    await act();
    page.off('response', listen);
    await Promise.all(waiting);
    return answers;
  }
  /**
   * Letter by letter, each of which is drawn.
   * @returns how many pauses were long enough to ask for what is there by then: none, unless the machine is busy
   */
  const typeAtOnce = (field: Locator, text: string) =>
    field.evaluate(async (input, words) => {
      let pauses = 0;
      let before = performance.now();
      for (let length = 1; length <= words.length; length += 1) {
        if (performance.now() - before > 200) pauses += 1;
        before = performance.now();
        // as the browser does it: React has put a property of its own over it
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, words.slice(0, length));
        input.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise((drawn) => setTimeout(drawn));
      }
      return pauses;
    }, text);
  const rows = (page: Page) => page.getByRole('table', { name: 'Products' }).locator('tbody tr');
  const nodes = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length);

  it('shows a hundred cards, with sales of those alone, and all in a table, a page at a time', async () => {
    const cards = await asked(page, async () => {
      await page.goto('/products/edit');
      await expect(page.getByText('10,000 products')).toBeVisible();
      await expect(page.getByText('1 redemption in 30 days').first()).toBeVisible();
    });
    expect(await page.getByRole('main').getByRole('heading', { level: 2 }).count()).toBe(100);
    for (const { path, bytes } of cards) expect(bytes, path).toBeLessThan(200_000);
    await screenshot(page, 'many products cards');
    const table = await asked(page, async () => {
      await page.getByRole('button', { name: 'Show all as a table' }).click();
      await expect(rows(page)).toHaveCount(20);
    });
    for (const { path, bytes } of table) expect(bytes, path).toBeLessThan(50_000);
    expect(await nodes(page)).toBeLessThan(3500);
    await page.getByRole('button', { name: 'Stock', exact: true }).first().click();
    await page.getByRole('checkbox', { name: 'No serials left 9,999' }).check();
    await expect(page.getByText('9,999 products').first()).toBeVisible();
    await page.keyboard.press('Escape');
    let release = () => undefined as unknown;
    const held = new Promise((resolve) => {
      release = () => resolve(undefined);
    });
    await page.route(/\/api\/products\?.*sort=/, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Product', exact: true }).last().click();
    await page.waitForURL(/sort=-?name/);
    // the next page of the old order is not one of the new order
    const next = page.getByRole('button', { name: 'Next', exact: true });
    await next.click();
    release();
    // on the first page of the old order, where it comes before Plugin 9999, and not of the new one
    await expect(page.getByRole('link', { name: 'Plugin 10000', exact: true })).toBeHidden();
    await expect(page.getByRole('link', { name: 'Plugin 9999', exact: true })).toBeVisible();
    await expect(page.getByText(/^Page 1 of 500$/)).toBeVisible();
    await next.click();
    await expect(page.getByText(/^Page 2 of 500$/)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Plugin 9980', exact: true })).toBeVisible();
    await expect(rows(page)).toHaveCount(20);
    await screenshot(page, 'many products table');
  });

  it('lists a hundred groups of stock without the serials of the closed ones', async () => {
    await server.db.query(
      `insert into serials (id, developer_id, batch_id, code, code_key, download_count)
       select gen_random_uuid(), b.developer_id, b.id, k, k, 0 from (
         select b.*, upper(substr(md5(b.id::text || i), 1, 16)) as k from batches b, generate_series(1, 20) i
         where b.developer_id = $1 and b.product_id in (select id from products where name ~ '^Plugin [0-9]{3}$')) b`,
      [ada.id],
    );
    await page.goto('/dashboard/serials/available');
    await expect(page.getByText('The first 100 groups are shown.')).toBeVisible();
    expect(await nodes(page)).toBeLessThan(6000);
    const group = page.getByRole('heading', { level: 3 }).nth(1);
    await group.getByRole('button').click();
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(20);
    await page.getByRole('link', { name: 'see all serials as a list' }).click();
    await expect(page.getByText('18,002 serials').first()).toBeVisible();
  });

  it('chooses what was typed, also when Enter comes before it is found', async () => {
    await page.goto('/dashboard/serials/generator');
    const field = page.getByRole('combobox', { name: 'Product' });
    await field.click();
    await expect(page.getByRole('option').first()).toBeVisible();
    let release = () => undefined as unknown;
    const held = new Promise((resolve) => {
      release = () => resolve(undefined);
    });
    await page.route(/\/api\/products\?.*search=/, async (route) => {
      await held;
      await route.continue();
    });
    await typeAtOnce(field, 'plugin 7777');
    await page.keyboard.press('Enter');
    // the list of before is still there, and none of it is what was meant
    expect(await page.getByRole('listbox').getAttribute('aria-busy')).toBe('true');
    expect(await field.inputValue()).toBe('plugin 7777');
    release();
    await expect.poll(() => field.inputValue()).toBe('Plugin 7777');
    await expect(page.getByRole('listbox')).toBeHidden();
    // nothing of that name: nothing is chosen
    await field.click();
    await typeAtOnce(field, 'nothing of this name');
    await page.keyboard.press('Enter');
    await expect(page.getByText('No product matches.')).toBeVisible();
    await page.keyboard.press('Escape');
    expect(await field.inputValue()).toBe('Plugin 7777');
  });

  it('finds one of them in the search and where a product is chosen, from at most a hundred that it renders', async () => {
    await page.goto('/dashboard/serials/generator');
    const field = page.getByRole('combobox', { name: 'Product' });
    const choices = page.getByRole('listbox').getByRole('option');
    await field.click();
    await expect(choices.first()).toBeVisible();
    expect(await choices.count()).toBeLessThanOrEqual(100);
    let pauses = 0;
    const typed = await asked(page, async () => {
      pauses = await typeAtOnce(field, 'plugin 7777');
      await expect(choices).toHaveCount(1);
    });
    expect(typed.filter(({ path }) => path === '/api/products').length).toBeLessThanOrEqual(3 + pauses);
    await page.keyboard.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('Plugin 7777');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /Find a screen/ }).fill('plugin 99');
    await expect(page.getByRole('option', { name: /Plugin 99/ }).first()).toBeVisible();
    expect(await page.getByRole('option', { name: /Plugin 99/ }).count()).toBe(5);
  });
});
