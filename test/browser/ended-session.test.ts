import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { PASSWORD, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { describe, expect, it } from 'vitest';
import { expectGoodLooks } from './dashboard.ts';

describe('a session that ends while something is typed', { timeout: 120_000 }, () => {
  const { server, openPage } = browserSuite();

  const end = ({ id }: Person) => server.db.query('delete from sessions where user_id = $1', [id]);
  const back = async (page: Page) => {
    const again = page.getByRole('dialog', { name: 'Sign in to continue' });
    await expect(again).toBeVisible();
    expect(await page.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('user')])).toEqual([
      null,
      null,
    ]);
    await again.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await expect(again).not.toBeAttached();
  };

  it('loses nothing of a form', async () => {
    const ada = await signUpVerified(server);
    const page = await openPage({ as: ada });
    await page.goto('/products/add');
    await page.getByLabel('Product Name').fill('Kept Delay');
    await page.getByLabel('Short Description').fill('typed for a while');
    await end(ada);
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in to continue' })).toBeVisible();
    await expectGoodLooks(page, 'ended-session');
    const again = page.getByRole('dialog', { name: 'Sign in to continue' });
    await again.getByLabel('Password', { exact: true }).fill('wrong');
    await again.getByRole('button', { name: 'Sign in' }).click();
    await expect(again.getByRole('alert')).toBeVisible();
    await back(page);
    await expect.poll(() => page.getByLabel('Product Name').inputValue()).toBe('Kept Delay');
    expect(await page.getByRole('main').getByRole('alert').count()).toBe(0);
    expect(await page.getByLabel('Short Description').inputValue()).toBe('typed for a while');
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByText('Product submitted!')).toBeVisible();
  });

  it('loses nothing of a dialog, nor of what another tab has open', async () => {
    const ada = await signUpVerified(server);
    const page = await openPage({ as: ada });
    await page.goto('/dashboard/settings#tokens');
    await page.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create' });
    await dialog.getByLabel('Name').fill('CI');
    const other = await page.context().newPage();
    await other.goto('/products/add');
    await other.getByLabel('Product Name').fill('Kept elsewhere');
    await end(ada);
    // not by the pointer: a call of the other tab may have found out first, and the question then lies over the dialog
    await dialog.getByRole('button', { name: 'Create token' }).dispatchEvent('click');
    await back(page);
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('CI');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await expect.poll(() => page.getByRole('dialog').locator('code').textContent()).toMatch(/^tnr_pat_/);
    // the other tab went along, both ways
    await expect(other.getByRole('dialog', { name: 'Sign in to continue' })).not.toBeAttached();
    await expect.poll(() => other.getByLabel('Product Name').inputValue()).toBe('Kept elsewhere');
  });

  it('shows nothing to whoever sits there now', async () => {
    const ada = await signUpVerified(server);
    const page = await openPage({ as: ada });
    await page.goto('/products/add');
    await page.getByLabel('Product Name').fill('Secret Delay');
    await end(ada);
    await page.getByRole('button', { name: 'Submit' }).click();
    const again = page.getByRole('dialog', { name: 'Sign in to continue' });
    await expect(again).toBeVisible();
    const box = await again.boundingBox();
    expect([box?.x, box?.y, box?.width, box?.height]).toEqual([
      0,
      0,
      page.viewportSize()?.width,
      page.viewportSize()?.height,
    ]);
    await page.keyboard.press('Escape');
    expect(await again.isVisible()).toBe(true);
    await again.getByRole('button', { name: 'Discard it and use another account' }).click();
    await page.waitForURL('**/login');
    await page.goBack();
    await page.waitForURL('**/login**');
  });
});
