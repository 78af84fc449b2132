import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { PASSWORD, signUp } from '@tonerow/test-support/http.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { breakCalls, createShop, expectToast, handOver, holdToast, redeem, savedBy } from './dashboard.ts';

describe('journeys through the dashboard', { timeout: 60_000 }, () => {
  const { server, openPage } = browserSuite();
  let page: Page;

  beforeAll(async () => {
    page = await openPage();
    await page.goto('/login');
  });

  /** A developer with a shop, at the same browser as the one before. */
  async function enterShop() {
    const shop = await createShop(server.url);
    await handOver(page, shop);
    return shop;
  }

  async function enter() {
    const person = await signUp(server);
    await handOver(page, person);
    return person;
  }

  async function pickProduct(page: Page, name: string) {
    await page.getByRole('combobox', { name: 'Product' }).click();
    await page.getByRole('option', { name: new RegExp(name) }).click();
  }

  it('takes a developer from registration to a plugin key', async () => {
    await handOver(page);
    await page.goto('/');
    await page.getByRole('link', { name: 'Register as developer' }).click();
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Berg');
    await page.getByLabel('Email', { exact: true }).fill(`ada-${Date.now()}@example.com`);
    await page.getByLabel('Password', { exact: true }).fill('a row of twelve notes');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.waitForURL('**/dashboard/customers');
    await expect(page.getByText('No customers found.').first()).toBeVisible();

    await page.getByRole('link', { name: 'Products' }).click();
    await page.waitForURL('**/products/add');
    await page.getByLabel('Product Name').fill('Prism Delay');
    await page.getByRole('textbox', { name: 'Price', exact: true }).fill('49');
    await page.getByRole('button', { name: 'Submit' }).click();
    await expectToast(page, 'Product submitted!');
    await expect.poll(() => page.getByLabel('Product Name').inputValue()).toBe('');

    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Customers', exact: true }).click();
    await page.getByRole('main').getByRole('link', { name: 'Serials', exact: true }).click();
    await page.getByRole('link', { name: 'Generator' }).click();
    await pickProduct(page, 'Prism Delay');
    await page.getByLabel('Prefix').fill('prsm');
    await page.getByRole('button', { name: 'Generate 10 serials' }).click();
    await expect(page.getByRole('heading', { name: '10 serials generated' })).toBeVisible();
    const code =
      (await page.getByRole('region', { name: 'Generated codes' }).locator('code').first().textContent()) ?? '';
    expect(code).toMatch(/^PRSM(-[2-9A-HJ-NP-Z]{4}){3}$/);
    const { text: csv } = await savedBy(page.getByRole('button', { name: 'Download CSV' }));
    expect(csv.split('\r\n').filter(Boolean)).toHaveLength(11);
    expect(csv).toContain(code);

    await page.getByRole('link', { name: 'See them in Available' }).click();
    await expect(page.getByText('10 available serials')).toBeVisible();
    await expect(page.locator('code', { hasText: code })).toBeVisible();

    await page.getByRole('link', { name: 'Tools' }).click();
    await page.getByRole('link', { name: /Licensing API/ }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.getByLabel('Label').inputValue()).toBe('Universal API key');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const secret = (await dialog.locator('code').textContent()) ?? '';
    expect(secret).toMatch(/^tnr_plg_/);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByText(secret).first()).toBeVisible();
  });

  it('takes a reseller from registration to a first page of their own, and no further', async () => {
    await handOver(page);
    await page.goto('/login');
    await page.getByRole('link', { name: 'Register as reseller' }).click();
    await page.getByLabel('First name').fill('Rita');
    await page.getByLabel('Last name').fill('Solo');
    await page.getByLabel('Email', { exact: true }).fill(`rita-${Date.now()}@example.com`);
    await page.getByLabel('Company name').fill('Plugin Corner');
    await page.getByLabel('Password', { exact: true }).fill('a row of twelve notes');
    await page.getByLabel('Confirm password').fill('a row of eleven notes');
    await page.getByRole('button', { name: 'Register' }).click();
    await expect(page.getByText('Passwords do not match')).toBeVisible();
    await page.getByLabel('Confirm password').fill('a row of twelve notes');
    await page.getByRole('button', { name: 'Register' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome, Rita' })).toBeVisible();
    await page.goto('/products/add');
    await expect(page.getByText('Access Denied: You do not have permission to view this page.')).toBeVisible();
  });

  it('does not reveal whether an address is registered', async () => {
    const person = await signUp(server);
    await handOver(page);
    await page.goto('/register');
    await page.getByLabel('First name').fill('Eve');
    await page.getByLabel('Last name').fill('Drop');
    await page.getByLabel('Email', { exact: true }).fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password of that account');
    await page.getByRole('button', { name: 'Register' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  });

  it('gets somebody back in who forgot the password', async () => {
    const person = await signUp(server);
    await handOver(page);
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    // the page that is left has a field of the same name
    await expect(page.getByRole('button', { name: 'Send the link' })).toBeVisible();
    await page.getByLabel('Email').fill(person.email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await expect(page.getByText(`If ${person.email} has an account, a link is on its way.`)).toBeVisible();
    const email = await server.email(
      ({ to, subject }) => to?.[0]?.address === person.email && subject === 'Choose a new password',
    );
    const link = email.text?.match(/\S+\/reset-password\?\S+/)?.[0] ?? '';
    await page.goto(new URL(link).pathname + new URL(link).search);
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Save the password' }).click();
    await expect(page.getByText('Use at least 10 characters.')).toBeVisible();
    await page.getByLabel('New password').fill('another row of notes');
    await page.getByRole('button', { name: 'Save the password' }).click();
    await expect(page.getByText('Your password has been changed.')).toBeVisible();
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill('another row of notes');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/dashboard/customers');
  });

  it('refuses a short prefix, keeps what was typed, and makes one batch on a double click', async () => {
    await enterShop();
    await page.goto('/dashboard/serials/generator');
    const prefix = page.getByLabel('Prefix');
    await prefix.fill('a-b!c');
    await expect.poll(() => prefix.inputValue()).toBe('ABC');
    await page.getByRole('button', { name: /^Generate/ }).click();
    await expect(page.getByText('Prefix must be exactly 4 alphanumeric characters (A–Z, 0–9).')).toBeVisible();
    await expect(page.getByText('Choose a product.')).toBeVisible();
    await expect.poll(() => prefix.inputValue()).toBe('ABC');
    await prefix.fill('');
    await page.getByRole('button', { name: /^Generate/ }).click();
    // the reader is brought to the field that is missing
    const product = page.getByRole('combobox', { name: 'Product' });
    await expect.poll(() => product.evaluate((field) => field === document.activeElement)).toBe(true);
    await pickProduct(page, 'Prism Delay');
    await page.getByLabel('Quantity').fill('25');
    await page.getByRole('button', { name: 'Generate 25 serials' }).dblclick();
    await expect(page.getByRole('heading', { name: '25 serials generated' })).toBeVisible();
    await page.getByRole('link', { name: 'See them in Available' }).click();
    // Eleven and three were there before.
    await expect(page.getByText('39 available serials')).toBeVisible();
  });

  it('streams a large batch and offers all of it as a file', async () => {
    const shop = await enterShop();
    await page.goto(`/dashboard/serials/generator?product=${shop.productId}`);
    await page.getByLabel('Quantity').fill('12,000');
    await page.getByRole('button', { name: 'Generate 12,000 serials' }).click();
    await expect(page.getByRole('heading', { name: '12,000 serials generated' })).toBeVisible();
    const download = await savedBy(page.getByRole('button', { name: 'Download CSV' }));
    const lines = download.text.split(/\r?\n/).filter(Boolean);
    expect(lines).toHaveLength(12_001);
    expect(new Set(lines).size).toBe(12_001);
  });

  it('finds and chooses a product with the keyboard alone', async () => {
    const shop = await enterShop();
    // where one is chosen already, what is typed takes its place
    await page.goto(`/dashboard/serials/generator?product=${shop.productId}`);
    const picker = page.getByRole('combobox', { name: 'Product' });
    await picker.focus();
    await page.keyboard.type('needle');
    // the one that is meant is there, and not only the other one not yet
    await expect(page.getByRole('option', { name: /Needle EQ/ })).toBeVisible();
    await expect(page.getByRole('option', { name: /Prism Delay/ })).not.toBeAttached();
    await page.keyboard.press('Enter');
    await expect.poll(() => picker.inputValue()).toBe('Needle EQ');
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('option', { name: /Prism Delay/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect.poll(() => picker.inputValue()).toBe('Needle EQ');
    await expect.poll(() => picker.getAttribute('aria-expanded')).toBe('false');
  });

  it('revokes a serial and takes it back with Undo', async () => {
    const shop = await enterShop();
    await page.goto('/dashboard/serials');
    const row = page.getByRole('row', { name: new RegExp(shop.codes[0] ?? '') });
    await expect(row.getByText('Active')).toBeVisible();
    await row.getByRole('button', { name: `Revoke ${shop.codes[0]}` }).click();
    await expect(page.getByRole('dialog').getByText('Was the money given back?')).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    const notice = await holdToast(page, `Revoked ${shop.codes[0]}`);
    await expect(row.getByText('Revoked')).toBeVisible();
    await notice.getByRole('button', { name: 'Undo' }).click();
    await expect(row.getByText('Active')).toBeVisible();
    await expectToast(page, `Reassigned ${shop.codes[0]}`);
  });

  it('keeps search, dates and page in the address', async () => {
    const shop = await enterShop();
    await redeem(server.url, shop.codes[1] ?? '', 'jonah@example.com');
    await page.goto('/dashboard/serials');
    await expect(page.getByText('2 redeemed serials').first()).toBeVisible();
    await page.getByPlaceholder('Search name, email, serial, product, date...').fill('jonah');
    await expect(page.getByText(/^1 redeemed serial/).first()).toBeVisible();
    await page.getByLabel('Dates').selectOption('1w');
    await page.waitForURL(/search=jonah.*dateRange=1w/);
    await page.reload();
    await expect(page.getByText(/^1 redeemed serial/).first()).toBeVisible();
    await page.goBack();
    await page.waitForURL((url) => !url.search.includes('dateRange'));
  });

  it('shows a failed list with its request, and recovers on Retry', async () => {
    await enterShop();
    const mend = await breakCalls(page, '**/api/products?*', {
      status: 422,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: 'about:blank',
        title: 'No',
        status: 422,
        detail: 'Not now.',
        code: 'not_now',
        message: 'Not now.',
        request_id: 'req-42',
      }),
    });
    await page.goto('/products/edit');
    await expect(page.getByText('Not now.')).toBeVisible();
    await expect(page.getByText('req-42')).toBeVisible();
    await mend();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('heading', { name: 'Prism Delay' })).toBeVisible();
    await page.unrouteAll();
  });

  it('has every action of a serial in reach on a tablet, and plain words when a proxy answers for the server', async () => {
    const shop = await enterShop();
    await page.setViewportSize({ width: 768, height: 860 });
    await page.goto('/dashboard/serials');
    const actions = page
      .getByRole('button', { name: /^Actions/ })
      .locator('visible=true')
      .first();
    await actions.click();
    const revoke = page.getByRole('button', { name: 'Revoke', exact: true }).locator('visible=true');
    await expect(revoke).toBeVisible();
    const box = await revoke.boundingBox();
    expect((box?.x ?? 768) + (box?.width ?? 0)).toBeLessThan(768);
    await page.route('**/api/customers/*', (route) => route.fulfill({ status: 503, body: '<html>' }));
    await page.goto(`/dashboard/customers/${shop.customerId}`);
    await expect(page.getByText("Tonerow can't answer right now.")).toBeVisible();
    await page.unrouteAll();
    await page.goto('/products/edit/cut-off');
    await expect(page.getByRole('heading', { name: 'Product not found' })).toBeVisible();
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it('asks before unsaved changes are lost, and deletes a product only after its name was typed and the customers were named', async () => {
    const shop = await enterShop();
    await page.goto(`/products/edit/${shop.productId}`);
    await page.getByLabel('Product Name').fill('Prism Delay 2');
    await page.getByRole('link', { name: 'Tools' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
    await expect.poll(() => page.getByLabel('Product Name').inputValue()).toBe('Prism Delay 2');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expectToast(page, 'Product updated!');
    await page.getByRole('link', { name: 'Tools' }).click();
    await expect(page.getByRole('heading', { name: 'Tools' })).toBeVisible();

    await page.goto(`/products/edit/${shop.productId}`);
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Are you sure you want to permanently delete this product?' });
    await expect(dialog.getByRole('button', { name: 'Delete permanently' })).toBeDisabled();
    await dialog.getByRole('textbox').fill('Prism Delay 2');
    await dialog.getByRole('button', { name: 'Delete permanently' }).click();
    await dialog.getByRole('button', { name: 'Delete and revoke the serials' }).click();
    await expectToast(page, 'Product deleted.');
    await page.waitForURL('**/products/add');
  });

  it('shows what the server refuses at its field', async () => {
    await enterShop();
    await page.goto('/products/add');
    await page.getByLabel('Product Name').fill('prism delay');
    await page.getByRole('button', { name: 'Submit' }).click();
    await expectToast(page, 'Submission failed.');
    const name = page.getByLabel('Product Name');
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => name.inputValue()).toBe('prism delay');
  });

  it('sends an ended session to the login screen and back to where it was', async () => {
    const person = await signUp(server);
    await handOver(page, { token: 'not-a-token' });
    await page.goto('/developer/tools/licensingapi');
    await expect(page.getByText('Your session has ended.')).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(person.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/developer/tools/licensingapi');
  });

  it('signs the other tabs out too, and remembers where each was', async () => {
    await enter();
    await page.goto('/dashboard/customers');
    await expect(page.getByRole('heading', { name: 'Customers Hub' })).toBeVisible();
    const other = await page.context().newPage();
    await other.goto('/dashboard/settings');
    await other.getByRole('button', { name: 'Logout' }).click();
    await other.waitForURL('**/login');
    await expect(page.getByText('Your session has ended.')).toBeVisible();
    expect(new URL(page.url()).searchParams.get('redirect')).toBe('/dashboard/customers');
    await other.close();
  });

  it('shows an access token once', async () => {
    await enter();
    await page.goto('/dashboard/settings#tokens');
    await page.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('CI');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await expect.poll(() => dialog.locator('code').textContent()).toMatch(/^tnr_pat_\w{36}$/);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('heading', { name: 'CI', exact: true })).toBeVisible();
    expect(await page.content()).not.toMatch(/tnr_pat_\w{36}/);
  });

  it('has no flash of the wrong theme and remembers the choice', async () => {
    await handOver(page);
    await page.evaluate(() => localStorage.setItem('theme', 'dark'));
    await page.goto('/login', { waitUntil: 'commit' });
    await expect(page.locator('body')).toBeAttached();
    expect(await page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(true);
    await page.getByRole('button', { name: 'Use the light theme' }).click();
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(false);
  });

  it('opens the menu as a sheet on a phone, and gives the focus back', async () => {
    await enter();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/dashboard/serials');
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeHidden();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Open menu');
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it('moves through the account menu with the keyboard alone', async () => {
    await enter();
    await page.goto('/dashboard/serials');
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
    const button = page.getByRole('button', { name: 'Account of Ada Row' });
    await button.focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('Settings');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toContain('Help');
    await page.keyboard.press('End');
    expect(await focused()).toBe('Logout');
    await page.keyboard.press('Home');
    await page.keyboard.press('k');
    expect(await focused()).toBe('Keyboard shortcuts');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Logout' })).toBeHidden();
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  });
});
