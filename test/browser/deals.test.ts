import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { makeProduct, makeSerials, redeem } from '../support/http.ts';
import { makePartners } from '../support/partners.ts';
import { startServer } from '../support/server.ts';
import { expectAccessible, expectNoSidewaysScroll, openPage, screenshot } from './dashboard.ts';

describe('deals in a browser', { timeout: 90_000 }, () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  let browser: Browser;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer({ web: true }), launchBrowser()]);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it('are found, read, searched and exported by the reseller who was given them', async () => {
    const { developer, reseller, partnershipId } = await makePartners(server, 12.5);
    const prism = await makeProduct(server, developer.token, {
      name: 'Prism Delay',
      price: 99,
      sale_price: 69,
      short_desc: 'A delay with twelve voices',
      feature_list: ['Freeze', 'Tempo sync'],
    });
    await makeProduct(server, developer.token, { name: 'Needle EQ' });
    const give = (fields: object) =>
      makeSerials(server, developer.token, prism.id, { reseller_id: partnershipId, ...fields });
    const [first] = await give({ quantity: 4 });
    await give({ promo_price: 39, batch_tag: 'Spring', promo_expires: '2099-03-31', expires_at: '2099-12-31' });
    await give({ promo_price: 29, batch_tag: 'Black Friday' });
    await server.db.query(
      "update batches set promo_expires = now() - interval '1 day' where batch_tag = 'Black Friday'",
    );
    await redeem(server, first?.code as string, 'nina@example.com');

    const page = await openPage(browser, server.url, { as: { ...reseller, password: '' } });
    await page.goto('/reseller/products');
    const cards = page.getByRole('main').getByRole('listitem');
    await cards.filter({ hasText: 'Prism Delay' }).getByText('9 available · 1 redeemed').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'catalog-products');
    await page.getByLabel('Sort').selectOption('Most Popular');
    await page.waitForURL(/sort=popular/);
    await page.getByRole('searchbox').fill('needle');
    await page.getByText('1 product').waitFor();
    expect(await cards.count()).toBe(1);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('link', { name: 'Deals', exact: true }).click();
    const spring = cards.filter({ hasText: 'Spring' });
    for (const text of ['Sale window', 'Redeem by', 'Never ends']) await spring.getByText(text).waitFor();
    await expectAccessible(page);
    await screenshot(page, 'catalog-deals');

    await spring.getByRole('link', { name: 'View Details' }).click();
    await page.getByRole('heading', { name: 'Prism Delay' }).waitFor();
    await page.getByRole('button', { name: 'Copy 3 codes' }).waitFor();
    await page.getByText('Nobody has redeemed a serial of Prism Delay from you yet.').waitFor();
    await page.getByRole('link', { name: 'Deals', exact: true }).click();
    await page.getByRole('link', { name: 'Products', exact: true }).last().click();
    await cards.filter({ hasText: 'Prism Delay' }).getByRole('link', { name: 'View Details' }).click();
    await page.getByText('nina@example.com').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'catalog-detail');
    await page.getByRole('searchbox', { name: 'Search redeemed serials' }).fill('nobody');
    await page.getByText('No serials found').waitFor();
    await page.getByRole('searchbox', { name: 'Search redeemed serials' }).fill('nina');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export redeemed serials' }).click();
    expect((await download).suggestedFilename()).toBe('redeemed_serials.csv');

    await page.goto('/reseller/my-deals');
    await page.getByRole('region', { name: 'Expired deals' }).getByText('Black Friday').waitFor();
    await page.getByRole('region', { name: 'Current deals' }).getByText('Spring').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'my-deals');
    await page.context().close();

    for (const path of [
      '/reseller/products',
      '/reseller/products?tab=deals',
      '/reseller/my-deals',
      `/reseller/products?product=${prism.id}`,
    ]) {
      const phone = await openPage(browser, server.url, {
        as: { ...reseller, password: '' },
        width: 390,
        theme: 'dark',
      });
      await phone.goto(path);
      await phone.getByText('Prism Delay').first().waitFor();
      await phone
        .getByText(/available|Available/)
        .first()
        .waitFor();
      await expectNoSidewaysScroll(phone);
      await expectAccessible(phone);
      await screenshot(phone, `catalog-phone-${path.replace(/\W+/g, '-').slice(1, 24)}`);
      await phone.context().close();
    }
  });
});
