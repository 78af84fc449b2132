import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { holdToast, pressUntil } from './dashboard.ts';

describe('Undo', { timeout: 180_000 }, () => {
  const { server, openPage } = browserSuite();
  let ada: Person;
  let productId: string;
  let page: Page;

  beforeAll(async () => {
    ada = await signUpVerified(server);
    productId = (await makeProduct(server, ada.token, { name: 'Prism Delay' })).id;
    page = await openPage({ as: ada });
  });

  /** Clicks Undo in the notice with these words. */
  async function undo(words: string | RegExp) {
    const notice = page.locator('[data-sonner-toast]').filter({ hasText: words }).first();
    await notice.getByRole('button', { name: 'Undo' }).click();
  }
  const get = async (path: string) => (await call(server, 'GET', path, { token: ada.token })).body;
  const becomes = (read: () => Promise<unknown>, value: unknown) =>
    expect.poll(read, { timeout: 15_000 }).toEqual(value);

  it('takes back the name and the state of a plugin key', async () => {
    await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: { label: 'First name' } });
    await page.goto('/developer/tools/licensingapi');
    await page.getByRole('button', { name: 'More for First name' }).click();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Label').fill('Second name');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'More for Second name' })).toBeVisible();
    await undo('Key renamed.');
    await page.getByRole('button', { name: 'More for First name' }).click();
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await expect(page.getByText('Inactive', { exact: true })).toBeVisible();
    await undo('Key deactivated.');
    await expect(page.getByText('Active', { exact: true })).toBeVisible();
  });

  it('is offered above the buttons at the thumb on a phone', async () => {
    const desk = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: { label: 'Thumb' } });
    await page.goto('/developer/tools/licensingapi');
    await page.getByRole('button', { name: 'More for Thumb' }).click();
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
    const notice = page.locator('[data-sonner-toast]').filter({ hasText: 'Key deactivated.' });
    const box = await notice.boundingBox();
    expect(box && box.y + box.height).toBeLessThan(120);
    await undo('Key deactivated.');
    await expect(page.getByText('Inactive', { exact: true })).not.toBeAttached();
    if (desk) await page.setViewportSize(desk);
  });

  it('takes back a stock alert, a batch’s new end and a paused webhook', async () => {
    await makeSerials(server, ada.token, productId, { new_reseller_name: 'Plugin Harbor', quantity: 2 });
    const [reseller] = await get('/api/reseller/developer/resellers');
    await page.goto(`/dashboard/resellers/${reseller.id}`);
    const threshold = async () => (await get(`/api/reseller/developer/resellers/${reseller.id}`)).low_stock_threshold;
    await page.getByLabel('Serials left of a product').fill('12');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await holdToast(page, 'Stock alert saved.');
    await becomes(threshold, 12);
    await undo('Stock alert saved.');
    await becomes(threshold, null);

    const [batch] = (await get('/api/batches')).rows;
    const end = async () => (await get(`/api/batches/${batch.id}`)).expires_at;
    await page.goto(`/dashboard/batches/${batch.id}`);
    await page.getByRole('button', { name: 'Change dates' }).click();
    await page.getByLabel('Serials expire').fill('2090-01-31');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await undo('Its serials can be redeemed until');
    await becomes(end, null);

    const made = await call(server, 'POST', '/api/webhooks', {
      token: ada.token,
      body: { url: 'https://example.com/hook', events: ['serial.*'], description: 'Shop' },
    });
    const { id } = made.body.webhook;
    const enabled = async () => (await get(`/api/webhooks/${id}`)).enabled;
    await page.goto(`/developer/tools/webhooks/${id}`);
    await page.getByRole('button', { name: 'Pause' }).click();
    await holdToast(page, 'Paused.');
    await becomes(enabled, false);
    await undo('Paused.');
    await becomes(enabled, true);
  });

  it('takes back a reset brand, put-away first steps and a bulk revocation', async () => {
    await call(server, 'POST', '/api/developer/branding/update', {
      token: ada.token,
      body: { brand_color: '#1f6f5c', dark_mode: true, logo_url: null, support_email: 'help@row.example' },
    });
    await page.goto('/dashboard/settings/branding');
    await page.getByRole('button', { name: 'Reset to Default' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: /Reset/ }).click();
    const notice = await holdToast(page, 'Undo');
    await expect.poll(() => page.getByLabel('Support email').inputValue()).toBe('');
    await notice.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.getByLabel('Support email').inputValue()).toBe('help@row.example');

    await page.goto('/dashboard/customers');
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByRole('button', { name: 'Hide' }).click();
    await holdToast(page, 'Hidden.');
    await expect(steps).toHaveCount(0);
    await undo('Hidden.');
    await expect(steps).toBeVisible();

    const sold = await makeSerials(server, ada.token, productId, { quantity: 2 });
    for (const { code } of sold) await redeem(server, code, 'nina@example.com', ada.id);
    const revoked = async () =>
      (await server.db.query('select 1 from serials where developer_id = $1 and revoked_at is not null', [ada.id]))
        .length;
    await page.goto('/dashboard/serials');
    await expect(page.getByText('2 redeemed serials').first()).toBeVisible();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Revoke selected' }).click();
    await holdToast(page, 'Revoked 2 serials.');
    await becomes(revoked, 2);
    await undo('Revoked 2 serials.');
    await becomes(revoked, 0);
  });

  it('takes back a refund, a revocation without one, and both together, begun by their keys', async () => {
    const paid = await makeProduct(server, ada.token, { name: 'Tape Delay', price: 50 });
    const [serial] = await makeSerials(server, ada.token, paid.id);
    await redeem(server, serial?.code as string, 'nina@example.com', ada.id);
    const state = async () => {
      const { refunded, revoked } = await get(`/api/serials/${serial?.id}`);
      return { refunded, revoked };
    };
    await page.goto(`/dashboard/serials/${serial?.id}`);
    await expect(page.getByRole('button', { name: 'Refund', exact: true })).toBeVisible();
    const dialog = page.getByRole('dialog');
    const refund = async (too = false) => {
      await expect(dialog).toHaveCount(0);
      const reason = dialog.getByLabel('Reason');
      await pressUntil(page, 'f', async () => (await reason.count()) > 0);
      // typed text is not a key
      await reason.fill('refund of an order');
      if (too) await dialog.getByLabel('Revoke the serial too').check();
      await dialog.getByRole('button', { name: /^Refund/ }).click();
      await holdToast(page, 'Refunded $50.00');
      await becomes(state, { refunded: 50, revoked: too });
    };
    await refund();
    await undo('Refunded $50.00');
    await becomes(state, { refunded: 0, revoked: false });
    await expect(page.getByRole('list', { name: 'Refunds' }).getByText('Undone: recorded by mistake')).toBeVisible();

    await expect(dialog).toHaveCount(0);
    await page.keyboard.press('r');
    await expect(dialog.getByText('Was the money given back?')).toBeVisible();
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await holdToast(page, `Revoked ${serial?.code}`);
    await becomes(state, { refunded: 0, revoked: true });
    await undo(`Revoked ${serial?.code}`);
    await becomes(state, { refunded: 0, revoked: false });

    await expect(page.getByRole('button', { name: 'Refund', exact: true })).toBeVisible();
    await refund(true);
    await expect(page.locator('[data-sonner-toast]').filter({ hasText: 'and revoked' }).first()).toBeVisible();
    await expect(dialog).toHaveCount(0);
    await page.keyboard.press('Control+z');
    await becomes(state, { refunded: 0, revoked: false });
  });

  it('takes back what was changed by a filter or by batches, and only that', async () => {
    const reverb = await makeProduct(server, ada.token, { name: 'Cathedral' });
    const serials = await makeSerials(server, ada.token, reverb.id, { quantity: 23, batch_tag: 'Fair' });
    const before = serials[0]?.id as string;
    await call(server, 'PATCH', `/api/serials/revoke/${before}`, { token: ada.token });
    const revoked = async () =>
      (
        await server.db.query(
          'select 1 from serials s join batches b on b.id = s.batch_id where b.product_id = $1 and s.revoked_at is not null',
          [reverb.id],
        )
      ).length;
    await page.goto(`/dashboard/serials/available?view=list&status=available,revoked&product=${reverb.id}`);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Select all 23 serials' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    const question = page.getByRole('alertdialog');
    await expect(question.getByText('1 serial would stay as they are.')).toBeVisible();
    await question.getByRole('button', { name: 'Revoke 22 serials' }).click();
    await holdToast(page, 'Revoked 22 serials.');
    await becomes(revoked, 23);
    await undo('Revoked 22 serials.');
    await becomes(revoked, 1);
    await undo('Changed 22 serials back.');
    await becomes(revoked, 23);
    await undo('Changed 22 serials back.');
    await becomes(revoked, 1);
  });

  it('holds news from elsewhere back while an Undo is offered, and shows it only in the bell once that was used', async () => {
    // whose bell counts nothing yet
    const nina = await signUpVerified(server);
    const page = await openPage({ as: nina });
    await call(server, 'POST', '/api/developer/plugin-keys', { token: nina.token, body: { label: 'Third name' } });
    const notice = (words: string) => page.locator('[data-sonner-toast]').filter({ hasText: words });
    const bell = page.getByRole('button', { name: /^Notifications/ });
    /** Leaves a product without stock; returns once the bell counts it. */
    const sellOut = async (name: string, told: number) => {
      const { id } = await makeProduct(server, nina.token, { name });
      const [first] = await makeSerials(server, nina.token, id, { quantity: 40 });
      const { batch_id } = (await call(server, 'GET', `/api/serials/${first?.id}`, { token: nina.token })).body;
      const { status } = await call(server, 'POST', `/api/batches/${batch_id}/revoke`, { token: nina.token });
      expect(status).toBe(200);
      await expect.poll(() => bell.getAttribute('aria-label'), { timeout: 15_000 }).toMatch(`${told} unread`);
    };
    const stream = page.waitForResponse('**/api/events*');
    await page.goto('/developer/tools/licensingapi');
    await stream;
    const set = async (to: 'Activate' | 'Deactivate') => {
      await page.getByRole('button', { name: 'More for Third name' }).click();
      await page.getByRole('button', { name: to, exact: true }).click();
      return holdToast(page, `Key ${to.toLowerCase()}d.`);
    };

    const closed = await set('Deactivate');
    await sellOut('Scarce Synth', 1);
    // once the second is known, the first would have been shown
    await sellOut('Scarce Sampler', 2);
    expect(await notice('is running low').count()).toBe(0);
    await closed.getByRole('button', { name: 'Close toast' }).click();
    await expect(notice('Scarce Synth is running low')).toBeVisible();
    await expect(notice('Scarce Sampler is running low')).toBeVisible();

    const used = await set('Activate');
    await sellOut('Rare Reverb', 3);
    await sellOut('Rare Rotary', 4);
    await used.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('Inactive', { exact: true })).toBeVisible();
    expect(await notice('Rare').count()).toBe(0);
  });
});
