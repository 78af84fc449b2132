import type { Locator } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { forgetSeatSums } from '@tonerow/test-support/seat-figures.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  ALL_LOOKS,
  breakCalls,
  createPlugin,
  expectAccessible,
  expectGoodLooks,
  savedBy,
  screenshot,
  setLook,
} from './dashboard.ts';

const DAY_MS = 86_400_000;
const names = ['Prism Delay', 'Needle EQ', 'Tape Hall', 'Low Tide', 'Grain Field', 'Slow Gate', 'Ribbon', 'Minor Bus'];
const countries = ['DE', 'US', 'US', 'US', 'JP', 'FR', 'BR', 'SG', 'AU', ''];

/** Sales of two months: every day some, the second one stronger, each product, reseller and country. */
function salesCsv(): string {
  const lines = ['Serial,Product,First Name,Last Name,Email,Total Price,Purchase Date,Reseller,Country'];
  for (let day = 59; day >= 0; day -= 1) {
    const date = new Date(Date.now() - day * DAY_MS).toISOString().slice(0, 10);
    const sales = day < 30 ? 4 + (day % 5) : 2 + (day % 3);
    for (let n = 0; n < sales; n += 1) {
      const at = day * 7 + n * 3;
      lines.push(
        `OLD-${day}-${n},${names[at % names.length]},Mara,Lind,m${at}@example.com,${20 + (at % 4) * 15},${date},${at % 3 === 0 ? 'Plugin Harbour' : ''},${countries[at % countries.length]}`,
      );
    }
  }
  return lines.join('\n');
}

describe('analytics in a browser', { timeout: 120_000 }, () => {
  const { server, openPage } = browserSuite();
  let ada: Person;
  let first: { id: string } | undefined;

  beforeAll(async () => {
    ada = await signUpVerified(server);
    const products: { id: string }[] = [];
    for (const name of names) products.push(await makeProduct(server, ada.token, { name, price: 49 }));
    const form = new FormData();
    form.append('file', new Blob([salesCsv()], { type: 'text/csv' }), 'sales.csv');
    const { body } = await call(server, 'POST', '/api/serials/import-redeemed', { token: ada.token, body: form });
    expect(body).toMatchObject({ rejected: 0 });
    let second: { id: string } | undefined;
    [first, second] = products;
    const spring = await makeSerials(server, ada.token, first?.id ?? '', { quantity: 40, batch_tag: 'Spring' });
    await makeSerials(server, ada.token, second?.id ?? '', { quantity: 300, new_reseller_name: 'Row Shop' });
    for (const serial of spring.slice(0, 9)) await redeem(server, serial.code, `${serial.id}@example.com`, ada.id);
    const ask = await createPlugin(server.url, ada.token);
    expect(
      await ask('activate', { license_key: spring[0]?.code, machine_id: 'one', version: '2.1', os: 'macOS 15' }),
    ).toBe('active');
    for (const [machine_id, version, os] of [
      ['two', '2.1', 'Windows 11'],
      ['three', '2.0', 'Windows 11'],
      ['four', undefined, undefined],
    ])
      for (const serial of spring.slice(1, 4))
        await ask('activate', { license_key: serial.code, machine_id, version, os });
    // calls are written once a minute; these are those of earlier days
    await server.db.query(
      `insert into plugin_key_days (developer_id, day, key_id, calls, refused)
       select developer_id, current_date - n, id, 40 + n * 7 % 23, n % 4 from plugin_keys, generate_series(1, 20) n where developer_id = $1`,
      [ada.id],
    );
  }, 120_000);

  const saved = async (button: Locator) => {
    const { text } = await savedBy(button);
    // a spreadsheet knows by it that the text is UTF-8
    expect(text[0]).toBe('\ufeff');
    return text.slice(1);
  };

  it('answer for a product, a reseller and a country, compare with the days before, and go into files', async () => {
    const page = await openPage({ as: ada });
    await page.goto('/dashboard/analytics');
    await expect(page.getByRole('img', { name: /^Revenue by day/ })).toBeVisible();
    await expect(page.getByRole('list', { name: 'Colors' }).getByText('Other products')).toBeVisible();
    const map = page.getByRole('group', { name: 'Redemptions by country' });
    await expect(map.getByRole('button', { name: /^United States: / })).toBeVisible();
    await expect(page.getByRole('group', { name: 'Filters' })).toBeVisible();
    await expectGoodLooks(page, 'analytics-pictures', { looks: ALL_LOOKS });
    await setLook(page, ['light', 1280]);

    // the period of the comparison is heard and seen on focus
    const change = page
      .getByRole('region', { name: /^This month/ })
      .locator('[aria-describedby]')
      .first();
    await page.keyboard.press('Tab');
    await change.focus();
    await expect(
      page
        .getByRole('tooltip')
        .filter({ visible: true })
        .getByText(/ in [A-Z][a-z]{2} \d/),
    ).toBeVisible();
    const month = await saved(page.getByRole('button', { name: 'Save this month as CSV' }));
    expect(month).toMatch(/^Figure,\d{4}-\d\d-01 to .*,Change %\r\nTotal revenue,/);
    const stack = await saved(page.getByRole('button', { name: 'Save revenue over time as CSV' }));
    expect(stack.split('\r\n')[0]).toMatch(/^Day,Revenue,(.+,){6}Other products$/);
    expect(stack.split('\r\n')).toHaveLength(32);

    const parts = page.getByRole('navigation', { name: 'Analytics Hub' });
    await parts.getByRole('link', { name: 'Stock and batches' }).click();
    await page.waitForURL(/part=stock/);
    const stock = await saved(page.getByRole('button', { name: 'Save days of stock left as CSV' }));
    expect(stock).toMatch(/^Product,Available,Redeemed in 30 days,Per day,Days left\r\n/);
    await expect(page.getByRole('img', { name: /^Days of stock left by product/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /^Spring Prism Delay.*40 .*9 ?22.5% 4 ?10%/ })).toBeVisible();
    await expectGoodLooks(page, 'analytics-stock', { looks: ALL_LOOKS });
    await parts.getByRole('link', { name: 'Plugins' }).click();
    await expect(page.getByRole('img', { name: /^Calls of plugins by day/ })).toBeVisible();
    await expect(page.getByRole('img', { name: /^Activations by version and system/ })).toBeVisible();
    await expectGoodLooks(page, 'analytics-plugins', { looks: ALL_LOOKS });
    await setLook(page, ['light', 1280]);
    await parts.getByRole('link', { name: 'Sales' }).click();
    await page.waitForURL((url) => !url.search.includes('part'));

    const germany = map.getByRole('button', { name: /^Germany: / });
    await germany.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/country=DE/);
    await expect.poll(() => germany.getAttribute('aria-pressed')).toBe('true');
    await expect(map.getByRole('button')).toHaveCount(1);
    await page.getByRole('combobox', { name: 'Reseller' }).selectOption('Plugin Harbour');
    await page.waitForURL(/reseller=/);
    await page.getByRole('combobox', { name: 'Product' }).click();
    await page.getByRole('option', { name: 'Ribbon' }).click();
    await page.waitForURL(/product=/);
    await page.reload();
    await expect(page.getByRole('combobox', { name: 'Country' })).toBeVisible();
    await expect.poll(() => page.getByRole('combobox', { name: 'Country' }).inputValue()).toBe('DE');
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.waitForURL((url) => !url.search.includes('country'));
    await expect(map.getByRole('button', { name: /^United States: / })).toBeVisible();

    await page.emulateMedia({ media: 'print' });
    await screenshot(page, 'analytics-print');
  });

  it('show which versions run on which systems, as a chart, a table and a file, for a chosen period', async () => {
    const page = await openPage({ as: ada });
    await page.goto('/dashboard/analytics?part=plugins');
    const name = 'activations by version and system';
    const chart = page.getByRole('img', { name: 'Version 2.1 has the most, 4 of 10.' });
    await expect(chart).toBeVisible();
    const region = page.getByRole('region', { name: 'Machines' });
    await expect
      .poll(() => region.getByRole('list', { name: 'Colors' }).getByRole('listitem').allInnerTexts())
      .toEqual(['Windows 11', 'Not reported', 'macOS 15']);
    await chart.scrollIntoViewIfNeeded();
    await screenshot(page, 'analytics-versions');
    const file = await saved(page.getByRole('button', { name: `Save ${name} as CSV` }));
    expect(file).toBe(
      'Version,Operating system,Activations\r\n2.0,Windows 11,3\r\n2.1,Windows 11,3\r\n,,3\r\n2.1,macOS 15,1\r\n',
    );
    await page.getByRole('button', { name: `Show ${name} as table` }).press('Enter');
    await expect(page.getByRole('row', { name: '2.1 4 3 0 1' })).toBeVisible();
    await expect(page.getByRole('row', { name: 'Not reported 3 0 3 0' })).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'analytics-versions-table');

    await server.db.query("update activations set last_seen_at = now() - interval '60 days' where developer_id = $1", [
      ada.id,
    ]);
    await forgetSeatSums(server.db, ada.id);
    await page.reload();
    await expect(page.getByText('No activation was seen in this time.')).toBeVisible();
    await page.getByRole('combobox', { name: 'Activations seen within' }).selectOption('Seen in 90 days');
    await page.waitForURL(/seen=90/);
    await expect(chart).toBeVisible();
    const mend = await breakCalls(page, '**/api/analytics/versions*', { status: 500, body: '{}' });
    await page.reload();
    const failed = page.getByText("Activations by version and system couldn't be loaded");
    await expect(failed).toBeVisible();
    await mend();
    await region.getByRole('button', { name: 'Retry' }).click();
    await expect(chart).toBeVisible();
    await server.db.query('update activations set last_seen_at = now() where developer_id = $1', [ada.id]);
    await forgetSeatSums(server.db, ada.id);

    await page.goto(`/dashboard/products/${first?.id}`);
    await expect(page.getByText('3 on Windows 11 · 1 on macOS 15')).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'product-versions');
  });

  it('are on every product card too, asked for at once', async () => {
    const page = await openPage({ as: ada });
    const asked = new Set<string>();
    page.on('request', (request) => {
      if (request.url().includes('/api/analytics')) asked.add(request.url());
    });
    await page.goto('/products/edit');
    await expect(page.getByRole('img', { name: /^\d+ redemptions of Ribbon in 30 days$/ })).toBeVisible();
    await expect(page.getByRole('img', { name: /redemptions? of .* in 30 days$/ })).toHaveCount(names.length);
    // one call for all cards, made again when the live stream announces a redemption
    expect(asked.size).toBe(1);
    await expectAccessible(page);
    await screenshot(page, 'products-sparklines');
  });
});
