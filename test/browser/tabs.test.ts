import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { signUp } from '@tonerow/test-support/http.ts';
import { expect, it } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, screenshot } from './dashboard.ts';

const { server, openPage } = browserSuite();
const tabs = (page: Page) => page.getByRole('navigation', { name: 'Settings' });
const beyond = (page: Page) => tabs(page).getAttribute('data-beyond');
const masked = (page: Page) => tabs(page).evaluate((bar) => getComputedStyle(bar).maskImage !== 'none');

it('tabs that do not fit fade where more of them can be reached, and the current one is in view', async () => {
  const ada = await signUp(server);
  const page = await openPage({ as: ada, width: 320 });
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
}, 120_000);
