import '@tonerow/test-support/page-matchers.ts';
import type { Page } from '@playwright/test';
import { sharedBrowser } from '@tonerow/test-support/browser.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('an assertion about a page', () => {
  let page: Page;
  beforeAll(async () => {
    page = await (await sharedBrowser()).newPage();
    page.setDefaultTimeout(300);
  }, 120_000);
  afterAll(() => page?.close());

  const failureOf = async (assertion: () => Promise<void>) => {
    const failure = await assertion().then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(failure).toBeInstanceOf(Error);
    return failure as Error;
  };

  it('waits for what is still to come', async () => {
    await page.setContent('<button onclick="setTimeout(() => { document.body.innerHTML = `<h1>Orders</h1>` }, 20)">Go');
    const heading = page.getByRole('heading', { name: 'Orders' });
    await expect(heading).toBeHidden();
    await expect(heading).not.toBeVisible();
    await page.getByRole('button').click();
    await expect(heading).toBeVisible();
    await expect(heading).toBeAttached();
    await expect(page.getByRole('button')).not.toBeAttached();
  });

  it('shows what is on the page instead, and where it failed', async () => {
    await page.setContent(`<main><h1>Orders</h1><div role="status">Order SHOP 4712 is drawn</div>
      <dialog open aria-label="Draw serials"><h2>SHOP 4712</h2><button>Cancel</button></dialog></main>`);
    const failure = await failureOf(() => expect(page.getByRole('heading', { name: 'SHOP 4711' })).toBeVisible());
    expect(failure.message.replace(/[\d.]+ s:/, '0.3 s:').split('\n')).toEqual([
      "not visible within 0.3 s: getByRole('heading', { name: 'SHOP 4711' })",
      '  at about:blank',
      '  headings: Orders | SHOP 4712',
      '  dialogs: Draw serials',
      '  alerts: Order SHOP 4712 is drawn',
      expect.stringMatching(/^ {2}nearest: heading "SHOP 4712", /),
    ]);
    expect(failure.stack).toContain('page-matchers.test.ts');
  });

  it('shows that an element is there but hidden', async () => {
    await page.setContent('<h1>Orders</h1><p hidden>Nothing was drawn yet</p>');
    const { message } = await failureOf(() => expect(page.getByText('Nothing was drawn yet')).toBeVisible());
    expect(message).toContain('locator resolved to hidden <p hidden');
  });

  it('shows what should be gone', async () => {
    await page.setContent('<h1>Orders</h1>');
    const heading = page.getByRole('heading');
    const hidden = await failureOf(() => expect(heading).toBeHidden({ timeout: 100 }));
    expect(hidden.message).toMatch(/^not hidden within 0\.\d s: getByRole\('heading'\)\n/);
    const detached = await failureOf(() => expect(heading, 'the list').not.toBeAttached());
    expect(detached.message).toMatch(/^the list: not detached within/);
    const negated = await failureOf(() => expect(heading).not.toBeVisible());
    expect(negated.message).toMatch(/^not hidden within/);
  });

  it('refuses two elements for one, and a page that is empty', async () => {
    await page.setContent('<p>One</p><p>Two</p>');
    const { message } = await failureOf(() => expect(page.locator('p')).toBeVisible());
    expect(message).toContain('strict mode violation');
    await page.setContent('');
    const empty = await failureOf(() => expect(page.getByText('One')).toBeVisible());
    expect(empty.message).toContain('the page is empty');
  });
});
