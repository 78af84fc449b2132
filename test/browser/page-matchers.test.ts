import type { Page } from '@playwright/test';
import { browserPages } from '@tonerow/test-support/browser-suite.ts';
import { PAGE_TIMEOUT_MS } from '@tonerow/test-support/page-matchers.ts';
import { beforeAll, describe, expect, it } from 'vitest';

describe('an assertion about a page', () => {
  const { newPage } = browserPages();
  let page: Page;
  beforeAll(async () => {
    page = await newPage();
  });

  const failureOf = async (assertion: () => Promise<void>) => {
    page.setDefaultTimeout(300);
    const failure = await assertion().then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    page.setDefaultTimeout(PAGE_TIMEOUT_MS);
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

  it('shows what a frame asks, over a page that waits for it', async () => {
    await page.setContent('<h1>Orders</h1><iframe srcdoc="<h1>Is it you?</h1>"></iframe>');
    await expect(page.frameLocator('iframe').getByRole('heading')).toBeVisible();
    const { message } = await failureOf(() => expect(page.getByRole('alert')).toBeVisible());
    expect(message.split('\n').slice(1)).toEqual([
      '  at about:blank',
      '  headings: Orders',
      '  frame: headings: Is it you?',
    ]);
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
    expect(hidden.message).toMatch(/^not hidden within [\d.]+ s: getByRole\('heading'\)\n/);
    const detached = await failureOf(() => expect(heading, 'the list').not.toBeAttached());
    expect(detached.message).toMatch(/^the list: not detached within/);
    const negated = await failureOf(() => expect(heading).not.toBeVisible());
    expect(negated.message).toMatch(/^not hidden within/);
  });

  it('waits for a number of elements, and shows how many there are', async () => {
    await page.setContent(
      '<button onclick="setTimeout(() => { document.body.innerHTML = `<h1>Orders</h1><p>One</p><p>Two</p>` }, 20)">Go',
    );
    const lines = page.locator('p');
    await expect(lines).toHaveCount(0);
    await page.getByRole('button').click();
    await expect(lines).toHaveCount(2);
    await expect(lines).not.toHaveCount(3);
    const { message } = await failureOf(() => expect(lines, 'the list').toHaveCount(3, { timeout: 100 }));
    expect(message.split('\n')).toEqual([
      expect.stringMatching(/^the list: not 3 within [\d.]+ s, but 2: locator\('p'\)$/),
      '  at about:blank',
      '  headings: Orders',
    ]);
    const negated = await failureOf(() => expect(lines).not.toHaveCount(2, { timeout: 100 }));
    expect(negated.message).toMatch(/^not another number than 2 within [\d.]+ s, but 2: /);
  });

  it('waits for a button or a box to change, and shows how it is', async () => {
    await page.setContent(`<button>Save</button><input type="checkbox" checked aria-label="Draft"><button disabled
      id="apply">Apply</button><script>setTimeout(() => { document.getElementById('apply').disabled = false }, 20)</script>`);
    const [save, apply] = [page.getByRole('button', { name: 'Save' }), page.getByRole('button', { name: 'Apply' })];
    await expect(apply).not.toBeDisabled();
    await expect(page.getByRole('checkbox')).toBeChecked();
    const enabled = await failureOf(() => expect(save).toBeDisabled({ timeout: 100 }));
    expect(enabled.message).toMatch(
      /^not disabled within [\d.]+ s, but enabled: getByRole\('button', \{ name: 'Save' \}\)\n/,
    );
    const missing = page.getByRole('button', { name: 'Save all' });
    for (const assertion of [expect(missing), expect(missing).not]) {
      const { message } = await failureOf(() => assertion.toBeDisabled({ timeout: 100 }));
      expect(message).toMatch(/^not (dis|en)abled within [\d.]+ s, but not there: [\s\S]*nearest: button "Save"/);
    }
    const unchecked = await failureOf(() => expect(page.getByRole('checkbox')).not.toBeChecked({ timeout: 100 }));
    expect(unchecked.message).toMatch(/^not unchecked within [\d.]+ s, but checked: /);
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
