import { setTimeout as pause } from 'node:timers/promises';
import { errors, type Frame, type Locator, type Page } from '@playwright/test';
import { expect } from 'vitest';
import { nearestTo, outlineOf } from './page-outline.ts';

/** How long pages wait for what is expected of them. */
export const PAGE_TIMEOUT_MS = 20_000;

interface Wait {
  /** Milliseconds. By default, as long as pages wait. */
  timeout?: number;
}

interface PageMatchers {
  /** Waits until the one element that is found can be seen. */
  toBeVisible(wait?: Wait): Promise<void>;
  /** Waits until no element is found, or none that can be seen. */
  toBeHidden(wait?: Wait): Promise<void>;
  /** Waits until the one element is found, seen or not; with `not`, until none is. */
  toBeAttached(wait?: Wait): Promise<void>;
  /** Waits until so many elements are found, seen or not. */
  toHaveCount(count: number, wait?: Wait): Promise<void>;
  /** Waits until the one element is there and disabled; with `not`, until it is enabled. */
  toBeDisabled(wait?: Wait): Promise<void>;
  /** Waits until the one element is there and checked; with `not`, until it is not. */
  toBeChecked(wait?: Wait): Promise<void>;
}

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void>, T> extends PageMatchers {}
}

type State = 'visible' | 'hidden' | 'attached' | 'detached';

expect.extend({
  toBeVisible: waitsFor('visible', 'hidden'),
  toBeHidden: waitsFor('hidden', 'visible'),
  toBeAttached: waitsFor('attached', 'detached'),
  toHaveCount,
  toBeDisabled: looksFor('disabled', 'enabled', (locator, wait) => locator.isDisabled(wait)),
  toBeChecked: looksFor('checked', 'unchecked', (locator, wait) => locator.isChecked(wait)),
});

function waitsFor(state: State, opposite: State) {
  return async function (this: { isNot?: boolean }, locator: Locator, { timeout }: Wait = {}) {
    const wanted = this.isNot ? opposite : state;
    const started = performance.now();
    try {
      await locator.waitFor({ state: wanted, ...(timeout === undefined ? {} : { timeout }) });
      return { pass: !this.isNot, message: () => '' };
    } catch (failure) {
      if (!(failure instanceof errors.TimeoutError)) throw failure;
      const lines = [
        `not ${wanted} within ${since(started)}: ${locator}`,
        ...lastFound(failure.message),
        ...(await shownOn(locator.page(), String(locator))),
      ];
      return { pass: Boolean(this.isNot), message: () => lines.join('\n  ') };
    }
  };
}

interface Look {
  fits: boolean;
  found: string | number;
}

/** Looks again and again, where Playwright has no wait of its own. */
async function looksUntil(
  { isNot = false }: { isNot?: boolean },
  locator: Locator,
  wanted: string,
  look: (wait: Wait) => Promise<Look>,
  { timeout = PAGE_TIMEOUT_MS }: Wait,
) {
  const started = performance.now();
  for (;;) {
    const left = Math.max(timeout - (performance.now() - started), 1000);
    const { fits, found } = await look({ timeout: left }).catch((failure: Error) => ({
      // such as a page that is just leaving
      fits: isNot,
      found: failure instanceof errors.TimeoutError ? 'not there' : failure.message,
    }));
    if (fits !== isNot) return { pass: fits, message: () => '' };
    if (performance.now() - started >= timeout) {
      const shown = await shownOn(locator.page(), String(locator));
      const lines = [`not ${wanted} within ${since(started)}, but ${found}: ${locator}`, ...shown];
      return { pass: fits, message: () => lines.join('\n  ') };
    }
    await pause(50);
  }
}

function toHaveCount(this: { isNot?: boolean }, locator: Locator, wanted: number, wait: Wait = {}) {
  const look = async () => {
    const found = await locator.count();
    return { fits: found === wanted, found };
  };
  return looksUntil(this, locator, `${this.isNot ? 'another number than ' : ''}${wanted}`, look, wait);
}

/** Makes a matcher for a state that Playwright can be asked about. */
function looksFor(state: string, opposite: string, ask: (locator: Locator, wait: Wait) => Promise<boolean>) {
  return function (this: { isNot?: boolean }, locator: Locator, wait: Wait = {}) {
    const look = async (left: Wait) => {
      const fits = await ask(locator, left);
      return { fits, found: fits ? state : opposite };
    };
    return looksUntil(this, locator, this.isNot ? opposite : state, look, wait);
  };
}

const since = (started: number) => `${Math.round((performance.now() - started) / 100) / 10} s`;

/** The result of Playwright's last look, such as an element that is hidden. */
const lastFound = (log: string) => (log.match(/locator resolved to .*/g) ?? []).slice(-1);

/** The content of the page instead. A page that hangs must not hide what was expected of it. */
async function shownOn(page: Page, wanted: string): Promise<string[]> {
  const [main, ...others] = await Promise.all(page.frames().map(readFrame));
  const address = `at ${page.url()}`;
  if (main === undefined || main instanceof Error)
    return [address, `the page cannot be read: ${main?.message.split('\n')[0]}`];
  const frames = others.flatMap((text) => (typeof text === 'string' ? outlineOf(text) : []));
  return [address, ...outlineOf(main), ...frames.map((line) => `frame: ${line}`), ...nearestTo(wanted, main)];
}

const readFrame = (frame: Frame): Promise<string | Error> =>
  frame
    .locator('body')
    .ariaSnapshot({ timeout: 3000 })
    .catch((failure: Error) => failure);
