import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, makeProduct, signUpVerified } from '@tonerow/test-support/http.ts';
import { WooCommerceShop } from '@tonerow/test-support/shops/woocommerce.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, expectGoodLooks, expectToast, handOver, screenshot } from './dashboard.ts';

describe('shops', { timeout: 90_000 }, () => {
  const { server, openPage } = browserSuite();
  let page: Page;

  beforeAll(async () => {
    page = await openPage();
    await page.goto('/login');
  });

  it('a shop is connected, shows what is wrong until its first report comes, and sells what was mapped', async () => {
    const ada = await signUpVerified(server);
    await makeProduct(server, ada.token, { name: 'Glide' });
    await handOver(page, ada);
    await page.goto('/developer/tools');
    await page.getByRole('link', { name: /^Shops/ }).click();
    await expect(page.getByText('No shops yet')).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'shops empty light-1280');

    await page.getByRole('link', { name: 'Connect a shop' }).first().click();
    await page.getByRole('link', { name: /WooCommerce/ }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('WooCommerce › Settings › Advanced › Webhooks')).toBeVisible();
    await expect(page.getByText('Listening for the first report')).toBeVisible();
    const pasted = page.getByRole('listitem').locator('code');
    const [address = '', secret = ''] = await pasted.allTextContents();
    expect(address).toContain('/api/shop-hooks/');
    await expectAccessible(page);
    await screenshot(page, 'shops connect light-1280');

    // with the secret of another shop
    const wrong = new WooCommerceShop({ address, secret: 'x'.repeat(32) });
    await wrong.tell(wrong.place('nina@example.com', [{ sku: 'GLIDE', quantity: 1, total: '49.00' }]));
    await expect(page.getByText('Something came and was refused')).toBeVisible();
    await screenshot(page, 'shops refused light-1280');
    // an order of something that is not mapped
    const woo = new WooCommerceShop({ address, secret });
    const order = woo.place('nina@example.com', [{ sku: 'GLIDE', quantity: 1, total: '49.00' }]);
    woo.pay(order);
    expect(await woo.tell(order, 'order.created')).toBe(200);
    await expect(page.getByText('its signature is right')).toBeVisible({ timeout: 20_000 });
    await page.getByRole('link', { name: /Map what it sells|Open the shop/ }).click();

    await expect(page.getByText('Unmapped').first()).toBeVisible({ timeout: 20_000 });
    await screenshot(page, 'shops unmapped light-1280');
    await page.getByRole('button', { name: 'Map it' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Map it' }).click();
    await expect(dialog.getByText('Choose a product.')).toBeVisible();
    await dialog.getByRole('combobox').first().fill('Glide');
    await page.getByRole('option', { name: /Glide/ }).click();
    await expectAccessible(page);
    await screenshot(page, 'shops map light-1280');
    await dialog.getByRole('button', { name: 'Map it' }).click();
    await expectToast(page, 'Mapped. Orders that waited for it are delivered now.');

    await page.getByRole('link', { name: 'Its orders' }).click();
    const link = page
      .getByRole('link', { name: String(order.id), exact: true })
      .locator('visible=true')
      .first();
    await expect
      .poll(
        async () => {
          const { body } = await call(server, 'GET', `/api/shop-orders?search=${order.id}`, { token: ada.token });
          return body.rows[0]?.state;
        },
        { timeout: 20_000 },
      )
      .toBe('issued');
    await page.reload();
    await expect(page.getByText('Delivered').locator('visible=true').first()).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'shops orders light-1280');
    await link.click();
    await expect(page.getByText('1 serial was emailed to nina@example.com.')).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'shops order light-1280');
    // the serial leads back to it
    await page.locator('section[aria-labelledby=lines]').getByRole('link').first().click();
    await expect(page.getByRole('heading', { name: 'About this serial' })).toBeVisible();
    await page.getByRole('link', { name: String(order.id), exact: true }).click();
    await expect(page.getByRole('heading', { name: `Order ${order.id}` })).toBeVisible();
    // the palette finds its number
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(String(order.id));
    await expect(page.getByRole('option', { name: new RegExp(`^${order.id}`) })).toBeVisible();
    await page.keyboard.press('Escape');
  });

  it('look as the rest does, on a phone in the dark too', async () => {
    const ada = await signUpVerified(server);
    const product = await makeProduct(server, ada.token, { name: 'Glide' });
    const recorded = await call(server, 'POST', '/api/sales', {
      token: ada.token,
      body: {
        order: '#1001',
        email: 'nina@example.com',
        first_name: 'Nina',
        last_name: 'Simone',
        currency: 'EUR',
        lines: [
          { id: '1', quantity: 2, paid: '98.00', product_ids: [product.id] },
          { id: '2', sku: 'A-SKU-THAT-IS-RATHER-LONG-AND-HAS-NO-PRODUCT', quantity: 1, paid: '29.00' },
        ],
      },
    });
    expect(recorded.status, recorded.text).toBe(201);
    const { shops } = (await call(server, 'GET', '/api/shops', { token: ada.token })).body;
    await handOver(page, ada);
    for (const [name, path] of [
      ['shops', '/developer/tools/shops'],
      ['new shop', '/developer/tools/shops/new'],
      ['shop', `/developer/tools/shops/${shops[0].id}`],
      ['orders', '/dashboard/orders'],
      ['order', `/dashboard/orders/${recorded.body.order_id}`],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectGoodLooks(page, name);
    }
  });

  it('are a reseller’s as well', async () => {
    const shop = await signUpVerified(server, 'reseller');
    await handOver(page, shop);
    await page.goto('/reseller/shops');
    await expect(page.getByText('No shops yet')).toBeVisible();
    await page.goto('/reseller/orders');
    await expect(page.getByText('No orders yet')).toBeVisible();
    await expectAccessible(page);
    // a developer's screen explains itself
    await page.goto('/dashboard/orders');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/not-authorized');
  });
});
