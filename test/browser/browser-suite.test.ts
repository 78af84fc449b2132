import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFailed } from 'vitest';

describe('a suite in a browser', () => {
  let ofFile: Page;
  let ofTest: Page;
  const failures: [expected: RegExp, message: string][] = [];

  // hooks of this kind run last when they were declared first: after those of the suite
  afterEach(() => expect([ofTest.isClosed(), ofFile.isClosed()]).toEqual([true, false]));
  afterAll(() => {
    expect(failures).toHaveLength(2);
    for (const [expected, message] of failures) expect(message).toMatch(expected);
    expect(ofFile.isClosed()).toBe(true);
  });
  const { openPage } = browserSuite();
  beforeAll(async () => {
    ofFile = await openPage();
  });

  async function login() {
    ofTest = await openPage();
    await ofTest.goto('/login');
    return ofTest;
  }

  /** A failure is checked at the end, because its reason is known only once the test's hooks have run. */
  const failsWith = (expected: RegExp) =>
    onTestFailed(({ task }) => void failures.push([expected, `${task.result?.errors?.[0]?.message}`]));

  it.fails('fails with what is thrown in its page', async () => {
    failsWith(/^errors in the browser:\n\S+\/login: Error: a fault in the screen/);
    const page = await login();
    const thrown = page.context().waitForEvent('weberror');
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error('a fault in the screen');
      });
    });
    await thrown;
  });

  it.fails('fails with what our policy refuses', async () => {
    failsWith(/^errors in the browser:\n\S+\/login: .*Content Security Policy/);
    const page = await login();
    const refused = page.waitForEvent('console');
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'document.title = "Somebody else"';
      document.head.append(script);
    });
    await refused;
  });

  it('lets the server refuse a call, and closes its page', async () => {
    const page = await login();
    const said = page.waitForEvent('console');
    expect(await page.evaluate(async () => (await fetch('/api/products')).status)).toBe(401);
    expect((await said).text()).toContain('401');
  });
});
