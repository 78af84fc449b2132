import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { signUpVerified } from '../support/http.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { openPage } from './dashboard.ts';

describe('the dashboard of each role', { timeout: 120_000 }, () => {
  let server: TestServer;
  let browser: Browser;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer({ web: true }), launchBrowser()]);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it.each([
    ['reseller', '/reseller/settings', 'analytics', '/reseller/analytics'],
    ['reseller', '/reseller/settings', 'Tools', '/not-authorized'],
    ['reseller', '/reseller/settings', 'transactions', '/reseller/transactions'],
    ['reseller', '/reseller/settings', 'nope', '/reseller/analytics'],
    ['developer', '/developer/tools', 'analytics', '/dashboard/analytics'],
    ['developer', '/developer/tools', 'transactions', '/not-authorized'],
    ['developer', '/developer/tools', 'developers', '/not-authorized'],
    ['developer', '/developer/tools', 'nope', '/dashboard/customers'],
  ] as const)('leads a %s who was at %s from the tab %s to %s', async (role, before, tab, path) => {
    const page = await openPage(browser, server.url, { as: await signUpVerified(server, role) });
    await page.goto(before);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goto(`/dashboard/${tab}`);
    await page.waitForURL((url) => url.pathname === path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.context().close();
  });
});
