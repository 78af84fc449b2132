import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { signUp } from '@tonerow/test-support/http.ts';
import { describe, expect, it } from 'vitest';
import { expectGoodLooks } from './dashboard.ts';

const { server, openPage } = browserSuite();

describe('the guides', { timeout: 90_000 }, () => {
  it('read well in both themes, on a desk and on a phone, and keep the theme that is chosen', async () => {
    const page = await openPage();
    for (const path of ['/help', '/help/any-plugin', '/help/operations']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectGoodLooks(page, path.slice(1).replace('/', '-'));
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/help');
    await page.getByText('Guides', { exact: true }).first().click();
    await page.getByRole('link', { name: 'A JUCE plugin' }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'A JUCE plugin' })).toBeVisible();
    await page.getByRole('button', { name: /^(Dark|Light) theme$/ }).click();
    const dark = await page.evaluate(() => document.documentElement.classList.contains('dark'));
    await page.reload();
    await expect(page.getByRole('button', { name: dark ? 'Light theme' : 'Dark theme' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(dark);
  });

  it('open beside the screen that they belong to', async () => {
    const page = await openPage({ as: await signUp(server) });
    await page.goto('/developer/tools/hise');
    const [guide] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Read the guide' }).click(),
    ]);
    await expect(guide.getByRole('heading', { level: 1, name: 'A HISE plugin' })).toBeVisible();
  });

  it('are, with the API reference, where a developer looks', async () => {
    const page = await openPage({ as: await signUp(server) });
    for (const path of ['/developer/tools', '/developer/tools/licensingapi', '/dashboard/settings#tokens']) {
      await page.goto(path);
      await expect(page.getByRole('link', { name: 'API reference' })).toBeVisible();
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('openapi');
    const [reference] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')]);
    await reference.waitForURL('**/docs');
  });
});
