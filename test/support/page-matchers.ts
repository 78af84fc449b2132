import { errors, type Locator, type Page } from '@playwright/test';
import { expect } from 'vitest';
import { nearestTo, outlineOf } from './page-outline.ts';

/** How long pages wait for what is expected of them. */
export const PAGE_TIMEOUT_MS = 20_000;

interface Wait {
  /** In milliseconds; the page's own when it is left out. */
  timeout?: number;
}

interface PageMatchers {
  /** Waits until the one element that is found can be seen. */
  toBeVisible(wait?: Wait): Promise<void>;
  /** Waits until no element is found, or none that can be seen. */
  toBeHidden(wait?: Wait): Promise<void>;
  /** Waits until the one element is found, seen or not; with `not`, until none is. */
  toBeAttached(wait?: Wait): Promise<void>;
}

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void>, T> extends PageMatchers {}
}

type State = 'visible' | 'hidden' | 'attached' | 'detached';

expect.extend({
  toBeVisible: waitsFor('visible', 'hidden'),
  toBeHidden: waitsFor('hidden', 'visible'),
  toBeAttached: waitsFor('attached', 'detached'),
});

function waitsFor(state: State, opposite: State) {
  return async function (this: { isNot: boolean }, locator: Locator, { timeout }: Wait = {}) {
    const wanted = this.isNot ? opposite : state;
    const started = performance.now();
    try {
      await locator.waitFor({ state: wanted, ...(timeout === undefined ? {} : { timeout }) });
      return { pass: !this.isNot, message: () => '' };
    } catch (failure) {
      if (!(failure instanceof errors.TimeoutError)) throw failure;
      const seconds = Math.round((performance.now() - started) / 100) / 10;
      const lines = [
        `not ${wanted} within ${seconds} s: ${locator}`,
        ...lastFound(failure.message),
        ...(await shownOn(locator.page(), String(locator))),
      ];
      return { pass: this.isNot, message: () => lines.join('\n  ') };
    }
  };
}

/** What Playwright found at its last look, such as an element that is hidden. */
const lastFound = (log: string) => (log.match(/locator resolved to .*/g) ?? []).slice(-1);

/** What the page shows instead. A page that hangs must not hide what was expected of it. */
async function shownOn(page: Page, wanted: string): Promise<string[]> {
  const snapshot = await page
    .locator('body')
    .ariaSnapshot({ timeout: 3000 })
    .catch((failure: Error) => failure);
  const address = `at ${page.url()}`;
  if (snapshot instanceof Error) return [address, `the page cannot be read: ${snapshot.message.split('\n')[0]}`];
  return [address, ...outlineOf(snapshot), ...nearestTo(wanted, snapshot)];
}
