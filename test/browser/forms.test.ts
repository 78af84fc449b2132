import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

describe('forms in a browser', { timeout: 60_000 }, () => {
  const { server, openPage } = browserSuite();
  let ada: Person;
  let page: Page;
  const dialog = () => page.getByRole('dialog');
  const create = () => dialog().getByRole('button', { name: 'Create key' });

  beforeAll(async () => {
    ada = await signUp(server);
  });

  beforeEach(async () => {
    page = await openPage({ as: ada });
  });

  async function openForm() {
    await page.goto('/developer/tools/licensingapi');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await dialog().getByLabel('Label').fill('For the beta');
  }

  /** The next keys that are asked for are refused, in the words of the server's answers. */
  async function refuse(errors: { path: string; message: string }[]) {
    const body = { type: 'about:blank', title: 'Bad Request', status: 400, code: 'invalid_request', request_id: 'r1' };
    await page.route('**/api/developer/plugin-keys', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 400,
            contentType: 'application/problem+json',
            json: { ...body, message: 'Something is missing.', errors },
          })
        : route.continue(),
    );
  }

  it('a refusal is at its field, which has the focus, and is gone once the field is changed', async () => {
    await openForm();
    await refuse([{ path: 'label', message: 'This label is taken.' }]);
    await create().click();
    await expect(dialog().getByText('This label is taken.')).toBeVisible();
    const label = dialog().getByLabel('Label');
    await expect.poll(() => label.evaluate((field) => field === document.activeElement)).toBe(true);
    await label.fill('For the gamma');
    await expect(dialog().getByText('This label is taken.')).toBeHidden();
    expect(await dialog().getByRole('alert').count()).toBe(0);
  });

  it('a refusal of which a part names no field is shown whole', async () => {
    await openForm();
    await refuse([
      { path: 'label', message: 'This label is taken.' },
      { path: 'product', message: 'Which product is it for?' },
    ]);
    await create().click();
    await expect(dialog().getByText('This label is taken.')).toBeVisible();
    await expect(dialog().getByRole('alert').getByText('Something is missing.')).toBeVisible();
    expect(await dialog().getByLabel('Label').inputValue()).toBe('For the beta');
  });

  it('stays open while it saves, saves once, and keeps what was typed when that fails', async () => {
    await openForm();
    let sent = 0;
    let answer = () => {};
    await page.route('**/api/developer/plugin-keys', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      sent += 1;
      await new Promise<void>((go) => {
        answer = go;
      });
      await route.fulfill({
        status: 409,
        contentType: 'application/problem+json',
        json: { status: 409, code: 'too_many_keys', title: 'Conflict', message: 'You have 50 keys.' },
      });
    });
    await dialog()
      .locator('form')
      .evaluate((form: HTMLFormElement) => {
        form.requestSubmit();
        form.requestSubmit();
      });
    await expect(dialog().getByText('Working')).toBeAttached();
    await page.keyboard.press('Escape');
    await dialog().getByRole('button', { name: 'Close' }).click();
    expect(await dialog().getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    await expect.poll(() => sent).toBe(1);
    answer();
    await expect(dialog().getByText('You have 50 keys.')).toBeVisible();
    expect(sent).toBe(1);
    expect(await dialog().getByLabel('Label').inputValue()).toBe('For the beta');
    await page.keyboard.press('Escape');
    await expect(dialog()).toBeHidden();
  });

  it('shows that there is no network, and saves once there is one', async () => {
    await openForm();
    let away = true;
    await page.route('**/api/developer/plugin-keys', (route) =>
      away && route.request().method() === 'POST' ? route.abort('internetdisconnected') : route.continue(),
    );
    await create().click();
    await expect(dialog().getByText("Can't reach Tonerow.")).toBeVisible();
    away = false;
    await create().click();
    await expect(dialog().getByRole('heading', { name: 'Your new key' })).toBeVisible();
    await dialog().getByRole('button', { name: 'Done' }).click();
  });

  it('a token that is shown only once stays on Escape', async () => {
    await page.goto('/dashboard/settings#tokens');
    await page.getByRole('button', { name: 'Create token' }).click();
    await dialog().getByLabel('Name').fill('CI');
    await dialog().getByRole('button', { name: 'Create token' }).click();
    await expect(dialog().getByRole('heading', { name: 'Your new token' })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await expect(dialog().getByText(/^tnr_/)).toBeVisible();
    await dialog().getByRole('button', { name: 'Done' }).click();
    await expect(dialog()).toBeHidden();
  });

  it('the first wrong field has the focus, also where it is a picker', async () => {
    const product = await makeProduct(server, ada.token);
    await makeSerials(server, ada.token, product.id, { new_reseller_name: 'Plugin Corner' });
    await page.goto('/dashboard/resellers');
    await page.getByRole('link', { name: 'Profile of Plugin Corner' }).click();
    await page.getByRole('button', { name: 'Merge' }).click();
    await dialog().getByRole('button', { name: 'See what changes' }).click();
    await expect(dialog().getByText('Choose a reseller.')).toBeVisible();
    const picker = dialog().getByRole('combobox', { name: 'Merge into' });
    await expect.poll(() => picker.evaluate((field) => field === document.activeElement)).toBe(true);
  });
});
