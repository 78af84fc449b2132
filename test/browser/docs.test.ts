import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { signUp } from '@tonerow/test-support/http.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectNoSidewaysScroll, screenshot } from './dashboard.ts';

const { server, newPage } = browserSuite();
let page: Page;
/** Complaints of the browser, and the addresses outside the server that the page requested. */
let complaints: string[];

beforeAll(() => signUp(server));

async function open(width: number, colorScheme: 'light' | 'dark', hash = ''): Promise<void> {
  page = await newPage({ viewport: { width, height: 844 }, colorScheme });
  complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(server.url)) complaints.push(request.url());
  });
  const response = await page.goto(`${server.url}/docs${hash}`);
  const policy = response?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toContain('unsafe-eval');
  await expect(page.getByRole('heading', { name: 'Tonerow', level: 1 })).toBeVisible();
}

describe('the API reference', () => {
  it('is shown under our policy, from our server alone, on a desk in the light and on a phone in the dark', async () => {
    await open(1280, 'light');
    await expect(page.getByText('travel in the header')).toBeVisible();
    for (const [theme, width] of [
      ['light', 1280],
      ['dark', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 844 });
      await expectNoSidewaysScroll(page);
      await screenshot(page, `docs-${theme}-${width}`, false);
    }
    expect(complaints).toEqual([]);
  });

  it('has an operation with its fields, its errors and its examples', async () => {
    await open(1280, 'light', '#tag/serials/POST/api/serials/generate');
    const section = page.getByRole('region', { name: 'Generate a batch of serials' });
    await expect(section.getByText('streams up to 1,000,000')).toBeVisible();
    await expect(section.getByText('How many serials to make.')).toBeVisible();
    await expect(section.getByText('PRSM').first()).toBeVisible();
    await section.scrollIntoViewIfNeeded();
    await screenshot(page, 'docs-operation', false);
    expect(complaints).toEqual([]);
  });
});
