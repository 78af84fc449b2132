import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, screenshot } from './dashboard.ts';

/** As long as a name may usefully be, in scripts from the right, without spaces between words, and mixed with Latin. */
const names = {
  arabic: 'صدى الزجاج العميق للاستوديو '.repeat(8).slice(0, 180).trim(),
  hebrew: 'השהיית סלילים לאולפן ביתי VST3 '.repeat(7).slice(0, 180).trim(),
  japanese: 'テープ・ディレイ深海エコー残響装置第二版'.repeat(10).slice(0, 180),
};

describe('names in other scripts', { timeout: 240_000 }, () => {
  const { server, openPage, newPage } = browserSuite();
  let ada: Person;
  const serials: Record<string, { id: string; code: string; product: string }> = {};

  beforeAll(async () => {
    ada = await signUpVerified(server);
    for (const [script, name] of Object.entries(names)) {
      const product = await makeProduct(server, ada.token, {
        name,
        file_urls: [{ name: `${name.slice(0, 60)}.pkg`, url: 'https://example.com/a.pkg' }],
      });
      const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 2 });
      serials[script] = { ...(serial as { id: string; code: string }), product: product.id };
    }
    await server.db.query('update users set company_name = $1 where id = $2', [names.hebrew.slice(0, 80), ada.id]);
    await redeem(server, serials.arabic?.code as string, 'layla@example.com', ada.id);
    await server.db.query('update customers set first_name = $1, last_name = $2 where developer_id = $3', [
      names.arabic.slice(0, 60),
      names.hebrew.slice(0, 60),
      ada.id,
    ]);
  }, 120_000);

  it('fit a phone’s redemption page, in the musician’s language', async () => {
    const page = await newPage({ viewport: { width: 320, height: 700 }, locale: 'ja-JP' });
    for (const script of ['hebrew', 'japanese']) {
      await page.goto(`/redeem?dev=${ada.id}&serial=${serials[script]?.code}&email=layla@example.com`);
      await page.locator('form button[type=submit]').click();
      await expect(page.locator('.card h2', { hasText: names[script as 'hebrew'].slice(0, 40) })).toBeVisible();
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
      await screenshot(page, `scripts redeem ${script}-320`);
    }
    expect(await page.locator('html').getAttribute('lang')).toBe('ja');
    const direction = (name: string) =>
      page.locator('.card h2', { hasText: name.slice(0, 40) }).evaluate((title) => getComputedStyle(title).direction);
    expect([await direction(names.hebrew), await direction(names.japanese)]).toEqual(['rtl', 'ltr']);
  });

  it('fit a phone’s dashboard: lists, records, the search and a question', async () => {
    const page = await openPage({ as: ada, width: 320 });
    const { id, product } = serials.arabic as { id: string; product: string };
    for (const [path, name] of [
      ['/products/edit', 'arabic'],
      ['/products/edit?look=table', 'hebrew'],
      [`/dashboard/products/${product}`, 'arabic'],
      [`/products/edit/${product}`, 'arabic'],
      [`/dashboard/serials/${id}`, 'arabic'],
      ['/dashboard/serials/available', 'japanese'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByText(names[name].slice(0, 30)).locator('visible=true').first()).toBeVisible();
      await expectNoSidewaysScroll(page);
      await screenshot(
        page,
        `scripts ${path
          .replaceAll(/[^a-z]+/g, ' ')
          .slice(0, 30)
          .trim()}-320`,
      );
    }
    await page.goto('/dashboard/customers');
    await expect(page.getByText(names.arabic.slice(0, 30)).locator('visible=true').first()).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill(names.hebrew.slice(0, 12));
    const found = page.getByRole('option').getByText(names.hebrew.slice(0, 30)).last();
    await expect(found).toBeVisible();
    // so that a long one is cut at its end
    expect(await found.evaluate((label) => getComputedStyle(label).direction)).toBe('rtl');
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await screenshot(page, 'scripts palette-320');
  });

  it('are beside dates in the order and the hours of the reader’s country', async () => {
    await server.db.query("update serials set redeemed_at = '2026-03-04T15:06:07Z' where id = $1", [
      serials.arabic?.id as string,
    ]);
    const page = await newPage({ locale: 'de-DE', timezoneId: 'UTC' });
    await page.addInitScript((token) => localStorage.setItem('token', token), ada.token);
    await page.goto('/dashboard/serials');
    await page.locator('time[datetime^="2026-03-04"]').locator('visible=true').first().hover();
    await expect(
      page.getByRole('tooltip').locator('visible=true').getByText('4 Mar 2026, 15:06:07').first(),
    ).toBeVisible();
  });
});
