import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, makeProduct, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { startServer } from '@tonerow/test-support/server.ts';
import { ApiHost } from '@tonerow/test-support/shops/api-host.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { WooCommerceShop } from '@tonerow/test-support/shops/woocommerce.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, expectGoodLooks, expectToast, handOver, savedBy, screenshot } from './dashboard.ts';

describe('shops', { timeout: 90_000 }, () => {
  const host = new ApiHost();
  // it asks the shop which lines a refund is of
  const { server, openPage } = browserSuite(async () => {
    await host.start();
    return startServer({ web: true, env: host.env });
  });
  afterAll(() => host.stop());
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
    await wrong.send(wrong.place('nina@example.com', [{ sku: 'GLIDE', quantity: 1, total: '49.00' }]));
    await expect(page.getByText('Something came and was refused')).toBeVisible();
    await screenshot(page, 'shops refused light-1280');
    // an order of something that is not mapped
    const woo = new WooCommerceShop({ address, secret });
    const order = woo.place('nina@example.com', [{ sku: 'GLIDE', quantity: 1, total: '49.00' }]);
    woo.pay(order);
    expect(await woo.send(order, 'order.created')).toBe(200);
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

  it('what a shop has sold is redeemed by its customer, and one refunded there ends in the plugin, the figures and the book', async () => {
    const ada = await signUpVerified(server);
    const api = async (method: string, path: string, body?: object) => {
      const answer = await call(server, method, path, { token: ada.token, ...(body ? { body } : {}) });
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer.body;
    };
    const glide = await makeProduct(server, ada.token, { name: 'Glide' });
    const prism = await makeProduct(server, ada.token, { name: 'Prism' });
    const { shop, secret } = await api('POST', '/api/shops', {
      kind: 'woocommerce',
      name: 'My shop',
      on_refund: 'revoke',
    });
    const woo = new WooCommerceShop({ address: shop.address, secret });
    await api('PUT', `/api/shops/${shop.id}/credentials`, woo.serve(host));
    await api('PUT', `/api/shops/${shop.id}/items`, {
      items: [
        { key: 'GLIDE', product_ids: [glide.id] },
        { key: 'PRISM', product_ids: [prism.id] },
      ],
    });
    const order = woo.place('journey@example.com', [
      { sku: 'GLIDE', quantity: 1, total: '49.00' },
      { sku: 'PRISM', quantity: 1, total: '29.00' },
    ]);
    woo.pay(order);
    expect(await woo.send(order, 'order.created')).toBe(200);

    // the customer reads the email, and redeems the first by its link
    const { text = '' } = await server.email(({ to }) => to?.[0]?.address === 'journey@example.com');
    const { rows } = await api('GET', `/api/shop-orders?search=${order.id}`);
    const { lines } = (await api('GET', `/api/shop-orders/${rows[0].id}`)).order;
    const [first, second] = lines.map(({ units }: { units: { code: string }[] }) => units[0]?.code) as [string, string];
    expect([text.includes(first), text.includes(second)]).toEqual([true, true]);
    const [link = ''] = /http\S+redeem\S*/.exec(text) ?? [];
    const customer = await openPage({ width: 390 });
    await customer.goto(link);
    await customer.getByLabel('Serial').fill(first);
    await customer.getByRole('button', { name: 'Continue' }).click();
    await customer.getByLabel('First name').fill('Nina');
    await customer.getByLabel('Last name').fill('Simone');
    await customer.getByRole('button', { name: 'Submit' }).click();
    await expect(customer.getByRole('heading', { name: 'Your downloads' })).toBeVisible();
    expect((await redeem(server, second, 'journey@example.com', ada.id)).status).toBe(200);
    const { plaintext: token } = await api('POST', '/api/developer/plugin-keys', {});
    const plugin = async (verb: string, license_key: string) =>
      (
        await call(server, 'POST', `/api/license/v1/${verb}`, {
          token,
          body: { license_key, machine_id: 'studio', email: 'journey@example.com' },
        })
      ).body;
    for (const code of [first, second]) expect(await plugin('activate', code)).toMatchObject({ ok: true });

    // its developer looks at the order as the shop refunds one of it
    await handOver(page, ada);
    await page.goto(`/dashboard/orders/${rows[0].id}`);
    await expect(page.getByText('2 serials were emailed to journey@example.com.')).toBeVisible();
    const [glideLine] = order.line_items;
    woo.refund(order, '49.00', [{ id: glideLine?.id as number, quantity: 1, total: '49.00' }]);
    expect(await woo.send(order)).toBe(200);
    await expect(page.getByText('1 serial was taken back.')).toBeVisible({ timeout: 20_000 });
    await expectAccessible(page);
    await screenshot(page, 'shops refunded light-1280');
    expect(await plugin('validate', first)).toMatchObject({ ok: false, status: 'revoked' });
    expect(await plugin('validate', second)).toMatchObject({ ok: true });
    await customer.reload();
    await expect(customer.getByText('This license has been suspended.')).toBeVisible();

    // the figures and the book have the same of it
    await page.goto('/dashboard/analytics');
    const shops = page.getByRole('region', { name: 'Shops' });
    await expect(shops.getByText('$29.00').first()).toBeVisible();
    await expect(shops.getByText('1 shop · $49.00 refunded')).toBeVisible();
    await page.goto('/dashboard/orders');
    const book = await savedBy(page.getByRole('button', { name: 'Export CSV' }));
    const [head = [], ...records] = book.text
      .replace(/^\uFEFF/, '')
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    const cells = (record: string[]) =>
      ['SKU', 'USD', 'Serials', 'Refunded USD'].map((name) => record[head.indexOf(name)]);
    expect(records.map(cells)).toEqual([
      ['GLIDE', '49.00', first, '49.00'],
      ['PRISM', '29.00', second, '0.00'],
    ]);
    await expectOrderBook(server, ada.id);
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
