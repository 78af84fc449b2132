import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, makeProduct, makeSerials } from '@tonerow/test-support/http.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, openLive, screenshot } from './dashboard.ts';

describe('selling by hand in a browser', { timeout: 120_000 }, () => {
  const { server, openPage } = browserSuite();
  let pair: Partners;
  let codes: string[];

  beforeEach(async () => {
    pair = await makePartners(server);
    const { developer, partnershipId } = pair;
    const prism = await makeProduct(server, developer.token, { name: 'Prism Delay', price: 49 });
    const give = { reseller_id: partnershipId, quantity: 3 };
    codes = (await makeSerials(server, developer.token, prism.id, give)).map(({ code }) => code);
    await makeSerials(server, developer.token, prism.id, { ...give, promo_price: 29, batch_tag: 'fair' });
  });

  const sold = async () =>
    (await call(server, 'GET', '/api/reseller/serials/sold', { token: pair.reseller.token })).body.totals;
  const offer = (page: Page, price: string) => page.getByRole('button', { name: new RegExp(`left \\${price}`) });
  const codeOn = (page: Page) => page.locator('main code').first().textContent();

  it('the till sells, emails and undoes with one hand, and loses no sale without a network', async () => {
    const page = await openPage({ as: pair.reseller, width: 390 });
    await openLive(page, '/reseller/till');
    await expect(offer(page, '$29').getByText('3 codes left')).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await screenshot(page, 'till-phone');

    await offer(page, '$49').click();
    await expect(page.getByText('$49.00', { exact: true })).toBeVisible();
    await screenshot(page, 'till-confirm-phone');
    await page.getByRole('button', { name: 'Sell for $49.00' }).click();
    await expect(page.getByRole('heading', { name: 'Sold' })).toBeVisible();
    expect(await codeOn(page)).toBe(codes[0]);
    await expect(page.getByAltText('QR code that opens the redemption page')).toBeVisible();
    await page.getByLabel('Customer’s email address').fill('nina@example.com');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(page.getByText('Sent to nina@example.com')).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await screenshot(page, 'till-sold-phone');
    await page.getByRole('button', { name: 'Next customer' }).click();

    // the sale is made, and its answer is lost, again and again
    let away = true;
    let carriedOut = 0;
    await page.route('**/api/reseller/serials/sell', async (route) => {
      if (!away) return route.continue();
      if (carriedOut === 0) await route.fetch();
      carriedOut += 1;
      return route.abort('connectionfailed');
    });
    await offer(page, '$29').click();
    await page.getByRole('button', { name: 'Sell for $29.00' }).click();
    await expect(page.getByText('No answer yet')).toBeVisible();
    await screenshot(page, 'till-no-answer-phone');
    await page.getByRole('button', { name: 'Next customer' }).click();
    await expect(page.getByText('1 sale without an answer')).toBeVisible();
    await screenshot(page, 'till-waiting-phone');
    // also when the phone restarts meanwhile
    await page.reload();
    await expect(page.getByText('1 sale without an answer')).toBeVisible();
    // while the network is away: afterwards the sale may be made, and the button gone, before it is clicked
    const asked = page.waitForRequest('**/api/reseller/serials/sell');
    await page.getByRole('button', { name: 'Try now' }).click();
    await asked;
    away = false;
    await expect(page.locator('[data-sonner-toast]').getByText('Sold Prism Delay for $29.00')).toBeVisible();
    await expect(page.getByText('1 sale without an answer')).toHaveCount(0);
    expect(carriedOut).toBeGreaterThan(1);
    expect(await sold()).toEqual({ sales: 2, revenue: 78, returned: 0 });

    await page.getByRole('link', { name: 'Today · 2 · $78.00' }).click();
    await expect(page.getByText('Total')).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'till-today-phone');
    await page.getByRole('button', { name: /Prism Delay.*\$29/ }).click();
    await page.getByRole('button', { name: 'Undo sale' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Undo sale' }).click();
    await expect(page.getByText('This sale was undone.')).toBeVisible();
    await page.getByRole('button', { name: 'Today' }).click();
    await expect(page.getByText('Undone', { exact: true })).toBeVisible();
    expect(await sold()).toEqual({ sales: 1, revenue: 49, returned: 1 });
    await screenshot(page, 'till-undone-phone');
  });

  it('the till works by keyboard at a desk, and shows when the price has changed', async () => {
    const page = await openPage({ as: pair.reseller, theme: 'dark' });
    await openLive(page, '/reseller/till');
    await offer(page, '$49').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Sell for $49.00' })).toBeVisible();
    await page.keyboard.press('Escape');
    await offer(page, '$29').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Sell for $29.00' })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Sold' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Sold today' }).getByText('$29.00').first()).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'till-desk-dark');
    await page.keyboard.press('Escape');
    await offer(page, '$29').click();
    await server.db.query(
      `update batches set promo_expires = '2020-01-01' where partnership_id = $1 and promo_price_cents is not null`,
      [pair.partnershipId],
    );
    await page.getByRole('button', { name: 'Sell for $29.00' }).click();
    await expect(page.getByText('It costs $49.00 now.')).toBeVisible();
    await screenshot(page, 'till-refused-dark');
    await page.getByRole('button', { name: 'Back to the products' }).click();
    await expect(offer(page, '$29')).toHaveCount(0);
    await expect(offer(page, '$49').getByText('3 codes left')).toBeVisible();
  });

  it('a product’s page sells one at the chosen price, with an email and a note', async () => {
    const page = await openPage({ as: pair.reseller });
    await page.goto('/reseller/products');
    await page.getByRole('button', { name: 'Sell one of Prism Delay' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('$49.00').check();
    await dialog.getByLabel('Customer’s email address').fill('nobody');
    await dialog.getByLabel('Note').fill('Booth 12');
    await screenshot(page, 'sell-one');
    await dialog.getByRole('button', { name: 'Sell for $49.00' }).click();
    await expect(dialog.getByText('Enter a valid email address.')).toBeVisible();
    await dialog.getByLabel('Customer’s email address').fill('bill@example.com');
    await dialog.getByRole('button', { name: 'Sell for $49.00' }).click();
    await expect(dialog.getByText(/(On its way|Sent) to bill@example.com/)).toBeVisible();
    await expect(dialog.getByText('Note: Booth 12')).toBeVisible();
    expect(await dialog.locator('code').first().textContent()).toBe(codes[0]);
    await expectAccessible(page);
    await screenshot(page, 'sell-one-sold');
    await page.setViewportSize({ width: 390, height: 844 });
    await screenshot(page, 'sell-one-sold-phone');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.goto('/reseller/draws');
    await page.getByRole('button', { name: 'Sell one' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Product' }).click();
    await page.getByRole('option', { name: /Prism Delay · \$29/ }).click();
    await page.getByRole('button', { name: 'Sell for $29.00' }).click();
    await expect(page.getByRole('dialog').getByRole('heading', { name: 'Sold' })).toBeVisible();
    expect(await sold()).toEqual({ sales: 2, revenue: 78, returned: 0 });
  });
});
