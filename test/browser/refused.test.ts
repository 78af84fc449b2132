import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { makeProduct, makeSerials, redeem, signUp } from '@tonerow/test-support/http.ts';
import { describe, expect, it } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, post, screenshot } from './dashboard.ts';

const { server, openPage } = browserSuite();
const notice = (page: Page, text: string) => expect(page.getByText(text).first()).toBeVisible();

describe('what a screen shows when a call fails', { timeout: 60_000 }, () => {
  it('is the specification’s for a registration', async () => {
    const page = await openPage({ width: 390 });
    await page.goto('/reseller/register');
    await page.route('**/api/reseller/register', (route) => route.abort());
    await page.getByLabel('First name').fill('Rita');
    await page.getByLabel('Last name').fill('Solo');
    await page.getByLabel('Email', { exact: true }).fill('rita@example.com');
    await page.getByLabel('Company name').fill('Plugin Corner');
    await page.getByLabel('Password', { exact: true }).fill('a row of twelve notes');
    await page.getByLabel('Confirm password').fill('a row of twelve notes');
    await page.getByRole('button', { name: 'Register' }).click();
    await notice(page, 'Registration failed.');
    await screenshot(page, 'refused-registration-390');
  });

  it('is the server’s for a login, and the specification’s when there is none', async () => {
    const page = await openPage();
    await page.goto('/login');
    await page.getByLabel('Email').fill('nobody@example.com');
    await page.getByLabel('Password', { exact: true }).fill('a row of twelve notes');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByText(/wrong/i).first()).toBeVisible();
    await expect(page.getByText('Login failed')).toHaveCount(0);
    await page.route('**/api/auth/login', (route) => route.abort());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await notice(page, 'Login failed');
    await screenshot(page, 'refused-login-1280');
  });

  it('distinguishes a refused password from an empty response, and from no server', async () => {
    const page = await openPage({ as: await signUp(server) });
    await page.goto('/dashboard/settings');
    const change = async () => {
      await page.getByLabel('Current password').fill('not the password');
      await page.getByLabel('New password').fill('another row of notes');
      await page.getByRole('button', { name: 'Update Password' }).click();
    };
    await change();
    await expect(page.getByText(/^Failed: /)).toBeVisible();
    const failWith = (status: number | null) =>
      page.route('**/api/account/update-password', (route) =>
        status ? route.fulfill({ status, contentType: 'application/json', body: '' }) : route.abort(),
      );
    await failWith(403);
    await change();
    await notice(page, 'Password update failed.');
    await failWith(null);
    await change();
    await notice(page, 'Error updating password.');
  });
});

describe('a download that is refused', { timeout: 60_000 }, () => {
  it.each([
    ['light', 1280, '#ffee00', false],
    ['dark', 390, '#111111', true],
  ] as const)('is a page in the developer’s look: %s, %i wide, %s', async (theme, width, color, dark) => {
    const ada = await signUp(server);
    const look = { brand_color: color, dark_mode: dark, support_email: 'help@lowpass.example' };
    await post(server.url, '/api/developer/branding/update', look, ada.token);
    const files = [{ name: 'Mac', url: 'https://cdn.example.com/a.dmg' }];
    const product = await makeProduct(server, ada.token, { file_urls: files });
    const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    const opened = await redeem(server, serial?.code as string, 'nina@example.com');
    await server.db.query('update serials set download_count = 5 where id = $1', [serial?.id]);

    const page = await openPage({ theme, width });
    const answer = await page.goto(opened.body.products[0].files[0].url);
    expect(answer?.status()).toBe(403);
    await expect(page.getByRole('heading', { name: 'Download limit reached. Request a reset.' })).toBeVisible();
    await expect(page.getByText('Row Audio')).toBeVisible();
    await expect
      .poll(() => page.getByRole('link', { name: 'Request Help' }).getAttribute('href'))
      .toMatch(/^mailto:help@lowpass\.example\?/);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await screenshot(page, `refused-download-${theme}-${width}-${color.slice(1)}`);
    await page.getByRole('link', { name: 'Open my downloads' }).click();
    await page.waitForURL('**/redeem?dev=*');
  });
});
