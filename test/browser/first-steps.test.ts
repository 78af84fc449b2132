import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, makeProduct, makeSerials, redeem, signUp } from '@tonerow/test-support/http.ts';
import { describe, expect, it } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, screenshot } from './dashboard.ts';

describe('the first steps of a new account', { timeout: 120_000 }, () => {
  const { server, openPage } = browserSuite();

  const list = (page: Page) => page.getByRole('region', { name: 'First steps' });

  /** The entry in the side menu, on every screen. */
  const entry = (page: Page, done: number) => page.getByRole('link', { name: new RegExp(`First steps.*${done} of 5`) });

  const answered = (page: Page) => page.waitForResponse(/\/api\/account\/first-steps/);

  it('lead from sign-up to serials, each screen to the next, and tick themselves', async () => {
    const ada = await signUp(server);
    const page = await openPage({ as: ada });
    await page.goto('/dashboard');
    await expect(list(page).getByText('0 of 5 done')).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'first steps light-1280');
    await list(page)
      .getByRole('link', { name: /Add a product/ })
      .click();
    await page.getByLabel('Product Name').fill('Tape Delay');
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page.locator('[data-sonner-toast]').getByText('Product submitted!')).toBeVisible();
    // the next step stays on the screen when the notice has gone
    const next = page.getByRole('main').getByRole('link', { name: 'Generate its serials' });
    await expect(next).toBeVisible();
    await expect(entry(page, 1)).toBeVisible();
    await screenshot(page, 'product submitted light-1280');
    await next.click();
    await page.waitForURL(/serials\/generator/);
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Product' }).inputValue(), { timeout: 10_000 })
      .toBe('Tape Delay');
    await page.getByLabel('Quantity').fill('3');
    await page.getByRole('button', { name: 'Generate 3 serials' }).click();
    await expect(page.getByRole('heading', { name: '3 serials generated' })).toBeVisible();
    await entry(page, 2).click();
    await page.waitForURL(/\/dashboard\/customers/);
    await expect(list(page).getByText('2 of 5 done')).toBeVisible();
    await server.db.query('update users set company_name = null where id = $1', [ada.id]);
    await page.goto('/dashboard/customers');
    await expect(list(page).getByText('2 of 5 done')).toBeVisible();
    await list(page)
      .getByRole('link', { name: /Brand your redemption page/ })
      .click();
    await expect(page.getByText('You have none, so the page')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Enter it in your account' })).toBeVisible();
    await page.goBack();
    await list(page)
      .getByRole('link', { name: /Create a key/ })
      .click();
    await expect(page.getByRole('button', { name: 'Create key' })).toBeVisible();
  });

  it('can be put away for good, on a phone in the dark too', async () => {
    const ada = await signUp(server);
    await makeProduct(server, ada.token);
    const page = await openPage({ as: ada, theme: 'dark', width: 390 });
    await page.goto('/dashboard/customers');
    await expect(list(page).getByText('1 of 5 done')).toBeVisible();
    await expectNoSidewaysScroll(page);
    await screenshot(page, 'first steps dark-390');
    await page.goto('/dashboard/analytics');
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(menu.getByRole('link', { name: /First steps.*1 of 5/ })).toBeVisible();
    await screenshot(page, 'first steps in the menu dark-390');
    await menu.getByRole('link', { name: /First steps/ }).click();
    await expect(menu).toHaveCount(0);
    await list(page).getByRole('button', { name: 'Hide' }).click();
    await expect(list(page)).toHaveCount(0);
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(menu.getByRole('link', { name: 'Products' })).toBeVisible();
    expect(await menu.getByRole('link', { name: /First steps/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    const asked = answered(page);
    await page.reload();
    await asked;
    await expect(page.getByText('No customers found.').first()).toBeVisible();
    await expect(list(page)).toHaveCount(0);
  });

  it('take the only product, and open the redemption page with a code that is nobody’s', async () => {
    const ada = await signUp(server);
    const product = await makeProduct(server, ada.token);
    const page = await openPage({ as: ada });
    await page.goto('/dashboard/serials/generator');
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Product' }).inputValue(), { timeout: 10_000 })
      .toBe(product.name);
    await entry(page, 1).click();
    const opened = page.waitForEvent('popup');
    await list(page)
      .getByRole('button', { name: /See the first redemption/ })
      .click();
    const customer = await opened;
    await customer.waitForURL(/\/redeem\?/);
    const [{ code }] = (await server.db.query<{ code: string }>('select code from serials where developer_id = $1', [
      ada.id,
    ])) as [{ code: string }];
    await expect.poll(() => customer.getByLabel('Serial').inputValue(), { timeout: 10_000 }).toBe(code);
    expect(await customer.getByLabel('Email').inputValue()).toBe(ada.email);
    await customer.getByRole('button', { name: 'Continue' }).click();
    await customer.getByLabel('First name').fill('Ada');
    await customer.getByLabel('Last name').fill('Row');
    await customer.getByRole('button', { name: 'Submit' }).click();
    await expect(customer.getByText(product.name).first()).toBeVisible();
    await expect(entry(page, 2)).toBeVisible();
  });

  it('are not shown once all are taken', async () => {
    const ada = await signUp(server);
    const product = await makeProduct(server, ada.token);
    const [serial] = await makeSerials(server, ada.token, product.id);
    await call(server, 'PUT', '/api/account/settings', { token: ada.token, body: { support_email: 'a@example.com' } });
    await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} });
    await redeem(server, serial?.code as string, 'nina@example.com', ada.id);
    const page = await openPage({ as: ada });
    const asked = answered(page);
    await page.goto('/dashboard/customers');
    await asked;
    await expect(page.getByText('nina@example.com').locator('visible=true').first()).toBeVisible();
    await expect(list(page)).toHaveCount(0);
    expect(await page.getByRole('link', { name: /First steps/ }).count()).toBe(0);
  });
});
