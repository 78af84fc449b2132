import type { Browser, Page } from '@playwright/test';
import { sharedBrowser } from '@tonerow/test-support/browser.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';
import { createPerson, expectAccessible, expectNoSidewaysScroll, openPage, screenshot } from './dashboard.ts';

let server: SharedServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([sharedServer({ web: true }), sharedBrowser()]);
}, 120_000);
const tabs = (page: Page) => page.getByRole('navigation', { name: 'Settings' });
const beyond = (page: Page) => tabs(page).getAttribute('data-beyond');
const masked = (page: Page) => tabs(page).evaluate((bar) => getComputedStyle(bar).maskImage !== 'none');

it('tabs that do not fit fade where more of them can be reached, and the current one is in view', async () => {
  const ada = await createPerson(server.url);
  const page = await openPage(browser, server.url, { as: ada, width: 320 });
  await page.goto('/dashboard/settings');
  await expect.poll(() => beyond(page)).toBe('end');
  expect(await masked(page)).toBe(true);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await screenshot(page, 'tabs-320');
  await tabs(page).evaluate((bar) => {
    bar.scrollLeft = bar.scrollWidth;
  });
  await expect.poll(() => beyond(page)).toBe('start');

  // by an address, as from a bookmark
  await page.goto('/dashboard/settings/requests');
  const current = tabs(page).getByRole('link', { name: 'Requests' });
  await expect.poll(() => beyond(page)).toBe('start');
  const [bar, tab] = [await tabs(page).boundingBox(), await current.boundingBox()];
  expect((tab?.x ?? 0) + (tab?.width ?? 0)).toBeLessThanOrEqual((bar?.x ?? 0) + (bar?.width ?? 0));
  expect(await page.evaluate(() => window.scrollY)).toBe(0);

  await page.setViewportSize({ width: 1280, height: 860 });
  await expect.poll(() => beyond(page)).toBeNull();
  expect(await masked(page)).toBe(false);
  await page.context().close();
}, 120_000);
