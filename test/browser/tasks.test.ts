import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, makeProduct, makeSerials, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { describe, expect, it } from 'vitest';
import { createPlugin, expectAccessible, savedBy, screenshot } from './dashboard.ts';

describe('the tasks that people come with', { timeout: 120_000 }, () => {
  const { server, openPage } = browserSuite();

  /** Counts what is pressed from here on, by hand or by Enter. */
  async function countPresses(page: Page) {
    await page.addInitScript(() => {
      addEventListener(
        'click',
        ({ isTrusted }) =>
          isTrusted && sessionStorage.setItem('presses', String(Number(sessionStorage.getItem('presses')) + 1)),
        true,
      );
    });
    return () => page.evaluate(() => Number(sessionStorage.getItem('presses')));
  }

  it('a key and the code for one’s plugin, from its page, filled in and saved: five presses', async () => {
    const ada = await signUpVerified(server);
    await makeProduct(server, ada.token, { name: 'Prism Delay' });
    const wanted = await makeProduct(server, ada.token, { name: 'Tape Delay' });
    await makeProduct(server, ada.token, { name: 'Needle EQ' });
    const page = await openPage({ as: ada });
    const presses = await countPresses(page);
    await page.goto(`/dashboard/products/${wanted.id}`);
    await page.getByRole('link', { name: 'Create one' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const secret = (await dialog.locator('code').textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Done' }).click();
    // the product that one came from, and the key just made
    await expect.poll(() => page.getByRole('combobox', { name: 'Product' }).inputValue()).toBe('Tape Delay');
    const { text: code } = await savedBy(page.getByRole('button', { name: /^Download/ }).first());
    expect(secret).toMatch(/^tnr_plg_/);
    expect(code).toContain(secret);
    expect(code).not.toMatch(/\{\{\w+\}\}/);
    expect(await presses()).toBe(5);
    await expectAccessible(page);
    await screenshot(page, 'task key and code');
    // with a key in use the code is one press away
    await page.goto(`/dashboard/products/${wanted.id}`);
    await page.getByRole('link', { name: 'Code for this plugin' }).click();
    await expect.poll(() => page.getByRole('combobox', { name: 'Product' }).inputValue()).toBe('Tape Delay');
  });

  it('a first key is made where the HISE script asks for one', async () => {
    const ada = await signUpVerified(server);
    await makeProduct(server, ada.token, { name: 'Prism Delay' });
    const page = await openPage({ as: ada });
    await page.goto('/developer/tools/hise');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const secret = (await dialog.locator('code').textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByText(secret).first()).toBeVisible();
    await expect(page.getByText('Your key is in the code below.')).toBeVisible();
  });

  it('why a customer cannot download: from the serial or the address in their email to the answer and its mend, two presses', async () => {
    const ada = await signUpVerified(server);
    await setPlan(server.db, { plan: 'elite', accountId: ada.id });
    const product = await makeProduct(server, ada.token, {
      name: 'Prism Delay',
      file_urls: [{ name: 'macOS', url: `${server.url}/favicon.svg` }],
    });
    const [used, revoked, refused] = await makeSerials(server, ada.token, product.id, { quantity: 3 });
    for (const [serial, email] of [
      [used, 'nina@example.com'],
      [revoked, 'otis@example.com'],
      [refused, 'etta@example.com'],
    ] as const)
      await redeem(server, serial?.code as string, email, ada.id);
    await server.db.query('update serials set download_count = 5 where id = $1', [used?.id]);
    await call(server, 'PATCH', `/api/serials/revoke/${revoked?.id}`, { token: ada.token });
    const other = await makeProduct(server, ada.token, { name: 'Tape Delay' });
    const plugin = await createPlugin(server.url, ada.token);
    const asked = { license_key: refused?.code, machine_id: 'studio', product_id: other.id };
    expect(await plugin('activate', asked)).toBe('product_mismatch');

    const page = await openPage({ as: ada });
    const presses = await countPresses(page);
    const look = async (pasted: string) => {
      await page.goto('/dashboard/analytics');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.evaluate(() => sessionStorage.removeItem('presses'));
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /Find a screen/ }).fill(pasted);
      await expect(
        page.getByRole('option', { name: new RegExp(pasted.replace(/[- ]/g, '.'), 'i') }).first(),
      ).toBeVisible();
      await page.keyboard.press('Enter');
    };
    const state = page.getByRole('region', { name: 'State' });
    await look('nina@example.com');
    await expect(state.getByText('Download limit reached')).toBeVisible();
    await state.getByRole('button', { name: 'Reset downloads ($0.03)' }).click();
    await expect(state.getByText('Everything is in order')).toBeVisible();
    expect(await presses()).toBeLessThanOrEqual(2);

    await look(revoked?.code as string);
    await expect(state.getByText('Revoked', { exact: true })).toBeVisible();
    await state.getByRole('button', { name: /^Reassign/ }).click();
    await expect(state.getByText('Everything is in order')).toBeVisible();
    expect(await presses()).toBeLessThanOrEqual(2);

    // nothing to mend here, but the reason is there, and in the history
    await look('etta@example.com');
    // the day is a word of its own after midnight
    await expect(state.getByText(/^Refused .+: wrong product$/)).toBeVisible();
    await expect(page.getByText(/Refused/).nth(1)).toBeVisible();
    await screenshot(page, 'task refused customer');
  });
});
