import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { verifyEmail } from '@tonerow/test-support/http.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createPlugin,
  createShop,
  expectAccessible,
  expectGoodLooks,
  expectNoSidewaysScroll,
  expectToast,
  handOver,
  holdToast,
  isFocused,
  pressUntil,
  screenshot,
} from './dashboard.ts';

describe('the support desk', { timeout: 60_000 }, () => {
  const { server, openPage } = browserSuite();
  let shop: Awaited<ReturnType<typeof createShop>>;
  let page: Page;

  beforeAll(async () => {
    shop = await createShop(server.url);
    await verifyEmail(server, shop);
    await setPlan(server.db, { plan: 'elite', accountId: shop.id });
    page = await openPage({ as: shop });
  }, 120_000);

  const useUpDownloads = () => server.db.query('update serials set download_count = 5 where id = $1', [shop.serialId]);

  it('answers why somebody cannot download, and mends it for the price on the button', async () => {
    await useUpDownloads();
    await page.goto('/products/edit');
    await expect(page.getByRole('heading', { name: 'Prism Delay' })).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /Find a screen/ }).fill('mara@example.com');
    await expect(page.getByRole('option', { name: /mara@example.com/ })).toBeVisible();
    await page.keyboard.press('Enter');
    const state = page.getByRole('region', { name: 'State' });
    await expect(state.getByText('Download limit reached')).toBeVisible();
    await expectGoodLooks(page, 'desk customer limit');
    await page.goto(`/dashboard/serials/${shop.serialId}`);
    await expect(state.getByText('Download limit reached')).toBeVisible();
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Use the light theme' }).click();
    await page.setViewportSize({ width: 1920, height: 860 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1280, height: 860 });
    await screenshot(page, 'desk serial limit');
    await page.goBack();
    await state.getByRole('button', { name: 'Reset downloads ($0.03)' }).click();
    await expect(state.getByText('Everything is in order')).toBeVisible();
  });

  it('leads from taken seats to the machines, and to more seats', async () => {
    const plugin = await createPlugin(server.url, shop.token);
    for (const machine_id of ['mac-1', 'mac-2', 'mac-3']) {
      await plugin('activate', { license_key: shop.codes[0], machine_id });
    }
    await page.goto(`/dashboard/customers/${shop.customerId}`);
    const state = page.getByRole('region', { name: 'State' });
    await expect(state.getByText('All 3 seats taken')).toBeVisible();
    await state.getByRole('link', { name: 'Add seats' }).click();
    await page.getByLabel('Seats for this serial').fill('4');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(state.getByText('All 3 seats taken')).toHaveCount(0);
  });

  it('explains a badge to the pointer and to the keyboard, the state of a product and of the plan too', async () => {
    await useUpDownloads();
    await page.goto('/dashboard/serials');
    const badge = page.getByText('Limit reached', { exact: true }).locator('visible=true').first();
    await badge.hover();
    await expect(page.getByText('All 5 downloads are used.').locator('visible=true')).toBeVisible();
    await page.mouse.move(0, 0);
    await expect(page.getByText('All 5 downloads are used.').locator('visible=true')).toHaveCount(0);
    await badge.locator('..').focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await expect(page.getByText('All 5 downloads are used.').locator('visible=true')).toBeVisible();
    await page.keyboard.press('Escape');
    // a finger opens it, and closes it by another touch
    const open = () => page.getByText('All 5 downloads are used.').locator('visible=true').count();
    const touch = { pointerType: 'touch', bubbles: true };
    await badge.dispatchEvent('pointerup', touch);
    await expect.poll(open).toBe(1);
    await page.getByRole('heading', { level: 1 }).dispatchEvent('pointerdown', touch);
    await expect.poll(open).toBe(0);
    await page.goto('/dashboard/serials/available');
    await page
      .getByRole('button', { name: /Black Friday/ })
      .first()
      .click();
    const terms = page.getByText('Promo $49.00 · Black Friday').first();
    await terms.focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await expect(
      page.getByText('What it is sold for instead of the product’s price.').locator('visible=true'),
    ).toBeVisible();
    await page.goto('/products/edit');
    const explained = async (badge: string, words: RegExp) => {
      await page.getByText(badge, { exact: true }).locator('visible=true').first().hover();
      await expect(page.getByRole('tooltip').filter({ hasText: words }).locator('visible=true')).toBeVisible();
      await page.mouse.move(0, 0);
    };
    await explained('Draft', /until it is published/);
    await page.goto(`/dashboard/products/${shop.productId}`);
    await explained('Submitted', /can be redeemed/);
    await page.goto('/dashboard/settings');
    await explained('Current', /Your account is on this plan|you are using now/);
  });

  it('shows the exact moment of a date with its zone, and copies it', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`/dashboard/customers/${shop.customerId}`);
    const date = page
      .getByRole('button')
      .filter({ has: page.locator('time') })
      .first();
    const iso = await date.locator('time').getAttribute('datetime');
    await date.focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    const more = page.getByRole('tooltip').filter({ hasText: 'A click copies it' }).locator('visible=true');
    await expect(more.getByText('UTC', { exact: true })).toBeVisible();
    await expect(more.getByText('just now').or(more.getByText(/ago/))).toBeVisible();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(iso);
  });

  it('takes a change of stock back with Ctrl+Z while its notice is there', async () => {
    await page.goto('/dashboard/serials/available?view=list');
    const more = page.getByRole('button', { name: /^Actions for / }).first();
    const code = (await more.getAttribute('aria-label'))?.replace('Actions for ', '') ?? '';
    await more.click();
    await page.getByRole('button', { name: 'Revoke…' }).click();
    await page.getByRole('button', { name: 'Revoke 1 serial' }).click();
    await holdToast(page, 'Revoked 1 serial.');
    await expect(page.getByRole('button', { name: `Actions for ${code}` })).toHaveCount(0);
    await page.keyboard.press('Control+z');
    await expectToast(page, 'Changed 1 serial back.');
    await expect(page.getByRole('button', { name: `Actions for ${code}` }).first()).toBeVisible();
  });

  it('has a key for what is done most, shown on its button, and off while somebody types or wants none', async () => {
    const hint = page.getByRole('main').locator('kbd').filter({ visible: true });
    const dialog = page.getByRole('dialog');
    await page.goto(`/dashboard/customers/${shop.customerId}`);
    const edit = page.getByRole('button', { name: 'Edit customer', exact: true });
    await expect(edit.locator('kbd').getByText('e', { exact: true })).toBeVisible();
    const note = page.getByRole('textbox', { name: 'Note' });
    await pressUntil(page, 'n', () => isFocused(note));
    // keys typed now are text, whatever they would do otherwise
    await page.keyboard.type('ere, a note');
    await expect.poll(() => note.inputValue()).toBe('ere, a note');
    expect(await dialog.count()).toBe(0);
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('e');
    await expect(dialog.getByLabel('Email')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    // the second key after g is not the screen's own
    await pressUntil(page, 'g s', async () => new URL(page.url()).pathname === '/dashboard/serials');
    await pressUntil(page, 'g c', async () => new URL(page.url()).pathname === '/dashboard/customers');
    const search = page.getByRole('searchbox');
    await expect(search).toBeVisible();
    await pressUntil(page, '/', () => isFocused(search));
    await page.keyboard.type('mara');
    await page.waitForURL(/search=mara/);
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    for (const words of ['Revoke or reassign it', 'Search it', 'Write a note'])
      await expect(dialog.getByText(words)).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'desk keys light-1280');
    await dialog.getByLabel('Keys without').uncheck();
    await page.keyboard.press('Escape');
    await page.goto(`/dashboard/customers/${shop.customerId}`);
    await expect(edit).toBeVisible();
    await expect(hint).toHaveCount(0);
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('e');
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: /Find a screen/ })).toBeVisible();
    expect(await page.getByRole('dialog', { name: 'Edit customer' }).count()).toBe(0);
    await handOver(page, shop);
  });

  it('leads from an expired serial to the batch whose end can be moved', async () => {
    await server.db.query("update batches set expires_at = now() - interval '1 day' where id = $1", [shop.batchId]);
    const [unused] = await server.db.query<{ id: string }>(
      'select id from serials where batch_id = $1 and redeemed_at is null limit 1',
      [shop.batchId],
    );
    await page.goto(`/dashboard/serials/${unused?.id}`);
    const state = page.getByRole('region', { name: 'State' });
    await expect(state.getByText('Expired', { exact: true })).toBeVisible();
    await state.getByRole('link', { name: 'Extend the batch' }).click();
    await expect(page.getByRole('button', { name: 'Change dates' })).toBeVisible();
    const end = page.getByRole('dialog').getByLabel('Serials expire');
    await pressUntil(page, 'e', async () => (await end.count()) > 0);
    await end.fill('');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect(page.locator('[data-sonner-toast]').getByText('can be redeemed for good')).toBeVisible();
    await page.goBack();
    await expect(state.getByText('Ready to be redeemed')).toBeVisible();
  });

  it('offers to reload when the server has a newer dashboard', async () => {
    await page.goto('/dashboard/customers');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.route(
      (url) => url.pathname === '/',
      (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: '<script type="module" crossorigin src="/other.js"></script>',
        }),
    );
    const notice = page.locator('[data-sonner-toast]').getByText('A new version of the dashboard is here.');
    await expect
      .poll(
        async () => {
          await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
          return notice.count();
        },
        { timeout: 15_000 },
      )
      .toBe(1);
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Reload' }).click()]);
    await page.unrouteAll();
  });

  it('sends the email again, moves the customer to another address, and keeps a note', async () => {
    await page.goto(`/dashboard/serials/${shop.serialId}`);
    // the banner above has one of the same name
    await page.getByRole('main').getByRole('button', { name: 'Resend email' }).click();
    await expectToast(page, 'Sent to mara@example.com');
    await expect(page.getByText('Email sent again').first()).toBeVisible();
    await page.goto(`/dashboard/customers/${shop.customerId}`);
    await page.getByRole('textbox', { name: 'Note' }).fill('Bought a new laptop');
    await page.getByRole('button', { name: 'Add note' }).click();
    await expect(page.getByText('Bought a new laptop')).toBeVisible();
    await page.getByRole('button', { name: 'Edit customer' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('mara.lindqvist@example.com');
    await screenshot(page, 'desk edit customer light-1280');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expectToast(page, 'Saved. Both addresses get an email.');
    await expect(page.getByText('mara@example.com to mara.lindqvist@example.com')).toBeVisible();
    await screenshot(page, 'desk customer changed light-1280');
  });
});
