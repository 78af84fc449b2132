import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { makeProduct, makeSerials, redeem } from '@tonerow/test-support/http.ts';
import { makePartners } from '@tonerow/test-support/partners.ts';
import { describe, expect, it } from 'vitest';
import {
  DARK_PHONE,
  expectAccessible,
  expectNoSidewaysScroll,
  openLive,
  post,
  savedBy,
  screenshot,
  setLook,
} from './dashboard.ts';

describe('deals in a browser', { timeout: 120_000 }, () => {
  const { server, openPage } = browserSuite();

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

    const page = await openPage({ as: reseller });
    await page.goto('/reseller/products');
    const cards = page.getByRole('main').getByRole('listitem');
    await expect(
      cards.filter({ hasText: 'Prism Delay' }).getByText('6 available · 3 not for sale now · 1 redeemed'),
    ).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'catalog-products');
    await page.getByLabel('Sort').selectOption('Most Popular');
    await page.waitForURL(/sort=popular/);
    await page.getByRole('searchbox').fill('needle');
    await expect(page.getByText('1 product')).toBeVisible();
    await expect(cards).toHaveCount(1);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('link', { name: 'Deals', exact: true }).click();
    const spring = cards.filter({ hasText: 'Spring' });
    for (const text of ['Promo', 'Redeem by', 'Never ends'])
      await expect(spring.getByText(text, { exact: true })).toBeVisible();

    await spring.getByRole('link', { name: 'View Details' }).click();
    await expect(page.getByRole('heading', { name: 'Prism Delay' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Copy 3 codes' })).toBeVisible();
    await expect(page.getByText('Nobody has redeemed a serial of Prism Delay from you yet.')).toBeVisible();
    await page.getByRole('link', { name: 'Deals', exact: true }).click();
    await page.getByRole('link', { name: 'Products', exact: true }).last().click();
    await cards.filter({ hasText: 'Prism Delay' }).getByRole('link', { name: 'View Details' }).click();
    await expect(page.getByText('nina@example.com')).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search redeemed serials' }).fill('nobody');
    await expect(page.getByText('No serials found')).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search redeemed serials' }).fill('nina');
    expect((await savedBy(page.getByRole('button', { name: 'Export redeemed serials' }))).name).toBe(
      'redeemed_serials.csv',
    );

    await page.goto('/reseller/my-deals');
    await expect(page.getByRole('region', { name: 'Expired deals' }).getByText('Black Friday')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Current deals' }).getByText('Spring')).toBeVisible();
    const over = page.getByRole('region', { name: 'Expired deals' });
    await expect(over.getByText('0 available · 3 not for sale now · 0 redeemed')).toBeVisible();
    await over.getByRole('link', { name: 'View Details' }).click();
    await expect(page.getByText("3 unsold serials can't be sold now: this deal is over.")).toBeVisible();
    await expect(page.getByText('You have no serials of Prism Delay to sell now.')).toBeVisible();
    expect(await page.getByRole('button', { name: 'Download CSV' }).count()).toBe(0);
    await expectAccessible(page);
    await screenshot(page, 'catalog-expired-deal');

    await setLook(page, DARK_PHONE);
    await expectNoSidewaysScroll(page);
    for (const path of [
      '/reseller/products',
      '/reseller/products?tab=deals',
      '/reseller/my-deals',
      `/reseller/products?product=${prism.id}`,
    ]) {
      await page.goto(path);
      await expect(page.getByText('Prism Delay').first()).toBeVisible();
      await expect(page.getByText(/available|Available/).first()).toBeVisible();
      await expectNoSidewaysScroll(page);
      // the list of products was examined on a desk
      if (path !== '/reseller/products') await expectAccessible(page);
      await screenshot(page, `catalog-phone-${path.replace(/\W+/g, '-').slice(1, 24)}`);
    }
  });

  it('are requested by the reseller, accepted by the developer with serials, and declined with a reason', async () => {
    const { developer, reseller } = await makePartners(server);
    const product = await makeProduct(server, developer.token, { name: 'Prism Delay', price: 99 });
    const shop = await openPage({ as: reseller });
    const maker = await openPage({ as: developer });
    await openLive(maker, '/dashboard/resellers');
    await expect(maker.getByRole('heading', { name: 'Resellers' })).toBeVisible();
    await openLive(shop, '/reseller/my-deals');

    const ask = async (price: string, look = async () => {}) => {
      await shop.getByRole('button', { name: 'Request a Deal' }).click();
      const dialog = shop.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'Product' }).click();
      await dialog.getByRole('option', { name: /Prism Delay/ }).click();
      await dialog.getByLabel('Price').fill(price);
      await dialog.getByLabel('Quantity').fill('20');
      await dialog.getByLabel('Promo expires').fill('2099-03-31');
      await dialog.getByLabel('Redeem by').fill('2099-12-31');
      await dialog.getByLabel('Note').fill('For our spring sale');
      await look();
      await dialog.getByRole('button', { name: 'Send request' }).click();
      await expect(dialog).toBeHidden();
    };
    await ask('39', async () => {
      await expectAccessible(shop);
      await screenshot(shop, 'request-a-deal');
    });

    // by the live event, without a reload
    await maker.getByRole('button', { name: 'Notifications, 1 pending' }).click();
    await expect(maker.getByRole('list', { name: 'Deals' }).getByText('requests a deal for Prism Delay')).toBeVisible();
    await expectAccessible(maker);
    await screenshot(maker, 'bell-with-deal-request');
    await maker.keyboard.press('Escape');
    const requests = maker.getByRole('list', { name: 'Requests for deals' });
    await expect(requests.getByText('For our spring sale')).toBeVisible();
    await requests.getByRole('link', { name: 'Accept' }).click();
    await expect(maker.getByText('Generating these serials accepts the request.')).toBeVisible();
    await expect.poll(() => maker.getByLabel('Quantity').inputValue()).toBe('20');
    await expect.poll(() => maker.getByLabel('Promo price').inputValue()).toBe('39.00');
    await expect.poll(() => maker.getByLabel('Promo expires').inputValue()).toBe('2099-03-31');
    await expect.poll(() => maker.getByLabel('Expires At').inputValue()).toBe('2099-12-31');
    await screenshot(maker, 'generator-for-deal');
    await maker.getByLabel('Promo price').fill('45');
    await maker.getByRole('button', { name: 'Generate 20 serials' }).click();
    await expect(maker.getByRole('button', { name: 'Exit' })).toBeVisible();

    const own = shop.getByRole('list', { name: 'Your requests' }).getByRole('listitem');
    await expect(own.filter({ hasText: 'Accepted with 20 serials at $45.00' })).toBeVisible();
    await expect(shop.getByRole('region', { name: 'Current deals' }).getByText('20 available')).toBeVisible();
    await screenshot(shop, 'my-deals-accepted');
    expect((await savedBy(shop.getByRole('button', { name: 'Export CSV of your requests' }))).name).toBe(
      'deal_requests.csv',
    );

    await ask('5');
    await openLive(shop, '/reseller/partners');
    await maker.goto('/dashboard/resellers');
    await requests.getByRole('button', { name: 'Decline' }).click();
    await maker.getByRole('dialog').getByLabel('Reason').fill('Too low for us');
    await screenshot(maker, 'decline-deal');
    await maker.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await expect(requests).toBeHidden();
    await shop.getByRole('button', { name: 'Notifications, 1 pending' }).click();
    await screenshot(shop, 'bell-with-deal-answer');
    await shop.getByRole('link', { name: 'Row Audio declined your deal for Prism Delay' }).click();
    await expect(own.filter({ hasText: 'Too low for us' }).getByText('Declined', { exact: true })).toBeVisible();
    await expect(shop.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
    const body = { product_id: product.id, price: 9, quantity: 5 };
    await post(server.url, '/api/reseller/deal-requests', body, reseller.token);
    await expect(requests).toBeVisible();
    for (const [each, name] of [
      [shop, 'reseller'],
      [maker, 'developer'],
    ] as const) {
      await setLook(each, DARK_PHONE);
      await expectNoSidewaysScroll(each);
      await expectAccessible(each);
      await screenshot(each, `deals-phone-${name}`);
    }
  });
});
