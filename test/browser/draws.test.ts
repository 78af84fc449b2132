import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, makeProduct, makeSerials } from '@tonerow/test-support/http.ts';
import { makePartners } from '@tonerow/test-support/partners.ts';
import { describe, expect, it } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, expectToast, openLive, savedBy, screenshot } from './dashboard.ts';

describe('draws in a browser', { timeout: 120_000 }, () => {
  const { server, openPage } = browserSuite();

  it('are found, shown and returned by the reseller, and seen by the developer', async () => {
    const { developer, reseller, partnershipId } = await makePartners(server);
    const prism = await makeProduct(server, developer.token, { name: 'Prism Delay' });
    const given = { reseller_id: partnershipId, quantity: 40, batch_tag: 'spring' };
    const [serial] = await makeSerials(server, developer.token, prism.id, given);
    const draw = (reference: string, quantity = 1) =>
      call(server, 'POST', '/api/reseller/serials/draw', {
        token: reseller.token,
        body: { product_id: prism.id, reference, quantity },
      });
    const shop = await openPage({ as: reseller });
    await openLive(shop, '/reseller/draws');
    await expect(shop.getByText('Nothing handed out yet')).toBeVisible();
    const maker = await openPage({ as: developer });
    await openLive(maker, `/dashboard/resellers/${partnershipId}`);
    await expect(maker.getByText('40 serials given: 40 open')).toBeVisible();
    await draw('order-1041');
    await draw('order-1042', 3);
    // by the live event, without a reload, on both sides
    await expect(shop.getByText('2 draws')).toBeVisible();
    await expect(maker.getByText('40 serials given: 36 open, 4 handed out')).toBeVisible();
    await expectAccessible(shop);
    await screenshot(shop, 'draws');
    await shop.getByRole('link', { name: 'order-1042' }).first().click();
    await expect(shop.getByRole('heading', { name: 'order-1042' })).toBeVisible();
    await expectAccessible(shop);
    await screenshot(shop, 'draw');
    await shop.getByRole('button', { name: 'Return 3 codes' }).click();
    await screenshot(shop, 'draw-return');
    await shop.getByRole('alertdialog').getByRole('button', { name: 'Return 3 codes' }).click();
    await expect(shop.locator('[data-sonner-toast]').getByText('Returned 3 codes.')).toBeVisible();
    await expect(shop.getByText('Returned', { exact: true })).toHaveCount(3);

    await shop.goto(`/reseller/products?product=${prism.id}`);
    // the notice may be gone before the file is here
    const [saved] = await Promise.all([
      savedBy(shop.getByRole('button', { name: 'Download CSV' })),
      expectToast(shop, 'count as in circulation'),
    ]);
    expect(saved.name).toBe('serials.csv');
    await screenshot(shop, 'stock-download');
    await shop.goto('/reseller/draws');
    await shop.getByRole('link', { name: 'Files' }).click();
    await expect(shop.getByRole('cell', { name: '39 codes' })).toBeVisible();
    await expectAccessible(shop);
    await screenshot(shop, 'own-files');
    expect((await savedBy(shop.getByRole('button', { name: 'Export CSV' }))).name).toBe('stock_downloads.csv');
    await openLive(shop, '/reseller/dashboard');
    const card = (name: string) => shop.locator('dl > div').filter({ hasText: name });
    await expect(card('Sold, Not Redeemed').getByText('1', { exact: true })).toBeVisible();
    await expect(card('In Files').getByText('39', { exact: true })).toBeVisible();
    await screenshot(shop, 'dashboard-with-stock');
    await draw('order-1043');
    await expect(card('Sold, Not Redeemed').getByText('2', { exact: true })).toBeVisible();
    await shop.request.post(`${server.url}/api/reseller/serials/draws/order-1043/return`, {
      headers: { authorization: `Bearer ${reseller.token}` },
      data: {},
    });
    await expect(card('Sold, Not Redeemed').getByText('1', { exact: true })).toBeVisible();

    await expect(maker.getByText('40 serials given: 39 open, 1 handed out, 0 redeemed, 0 revoked.')).toBeVisible();
    await expect(maker.getByText('39 codes of Prism Delay')).toBeVisible();
    await expectAccessible(maker);
    await screenshot(maker, 'circulation');
    await maker.goto(`/dashboard/serials/${serial?.id}`);
    await expect(maker.getByText('Handed out under order-1041')).toBeVisible();
    const batch = (await call(server, 'GET', `/api/serials/${serial?.id}`, { token: developer.token })).body.batch_id;
    await maker.goto(`/dashboard/batches/${batch}`);
    await expect(maker.getByText('took 39 codes')).toBeVisible();
    await screenshot(maker, 'batch-in-circulation');
    for (const page of [shop, maker]) {
      await page.setViewportSize({ width: 390, height: 844 });
      await expectNoSidewaysScroll(page);
      await screenshot(page, page === maker ? 'batch-in-circulation-phone' : 'stock-download-phone');
    }
    await maker.goto(`/dashboard/resellers/${partnershipId}`);
    await expect(maker.getByText('40 serials given')).toBeVisible();
    await expectNoSidewaysScroll(maker);
    await screenshot(maker, 'circulation-phone');
    for (const [path, text, name] of [
      ['/reseller/draws', 'order-1042', 'draws-phone'],
      ['/reseller/draws/order-1042', 'order-1042', 'draw-phone'],
      ['/reseller/draws?tab=files', '39 codes', 'own-files-phone'],
      ['/reseller/dashboard', 'Sold, Not Redeemed', 'dashboard-with-stock-phone'],
    ] as const) {
      await shop.goto(path);
      await expect(shop.getByText(text).filter({ visible: true }).first()).toBeVisible();
      await expectNoSidewaysScroll(shop);
      await screenshot(shop, name);
    }
  });
});
