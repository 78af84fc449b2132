import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { plantFiles } from '@tonerow/test-support/planted.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const TEST = 'packages/server/src/features/serials/x.test.ts';
const SUITE = 'test/browser/x.test.ts';

/** [what, where it is planted, the line] */
const refused: [string, string, string][] = [
  ['a pause', TEST, 'await pause(100);'],
  ['a long one', TEST, 'await pause(1_500);'],
  ['one with options', TEST, 'await pause(300, undefined, { ref: false });'],
  ['one whose length is elsewhere', TEST, 'await pause(SETTLE_MS);'],
  ['one that is calculated', TEST, 'await sleep(2 * SECOND);'],
  ['a timer that is one', TEST, 'await new Promise((resolve) => setTimeout(resolve, 1500));'],
  ['in a component’s test', 'packages/web/src/x.test.tsx', 'await delay(500);'],
  ['in what tests share', 'test/support/x.ts', 'await pause(500);'],
  ['a process', TEST, "import { spawn } from 'node:child_process';"],
  ['the type of one', 'test/cli/x.test.ts', "import type { ChildProcess } from 'node:child_process';"],
  ['one without a prefix', 'test/support/x.ts', "import * as processes from 'child_process';"],
  ['a bare wait for an element', SUITE, "await page.getByText('Saved').first().waitFor();"],
  ['one with a state', SUITE, "await dialog.waitFor({ state: 'hidden' });"],
  ['one that is returned', 'test/browser/dashboard.ts', 'const seen = (row: Locator) => row.waitFor();'],
  ['one of a selector', SUITE, "await page.waitForSelector('tbody tr');"],
  ['one in the page', SUITE, "await page.waitForFunction(() => !document.querySelector('iframe'));"],
  ['one for a number', SUITE, 'await expect.poll(() => rows(page).count()).toBe(3);'],
  ['one for a number, with a time', SUITE, 'await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(3);'],
  ['one for a state', SUITE, "await expect.poll(() => page.getByRole('button').isDisabled()).toBe(true);"],
  ['one outside of the browser’s folder', 'test/packages/x.test.ts', "await page.getByRole('alert').waitFor();"],
  [
    'a browser outside of it',
    'test/packages/x.test.ts',
    "import { sharedBrowser } from '@tonerow/test-support/browser.ts';",
  ],
  ['a context by hand', SUITE, 'const context = await browser.newContext({ locale });'],
  ['a browser beside the suite’s', SUITE, "import { sharedBrowser } from '@tonerow/test-support/browser.ts';"],
  ['one that is loaded later', 'test/browser/dashboard.ts', "await import('@tonerow/test-support/browser.ts');"],
  ['a process that is loaded later', 'scripts/x.ts', "const { fork } = await import('node:child_process');"],
];

const allowed: [string, string, string][] = [
  ['a short pause between two looks', TEST, 'await pause(25);'],
  ['a short timer', TEST, 'await new Promise((resolve) => setTimeout(resolve, 10));'],
  ['a deadline', TEST, 'setTimeout(() => controller.abort(), 5000);'],
  ['an assertion about a page', SUITE, "await expect(page.getByText('Saved')).toBeVisible();"],
  ['a suite in a browser', SUITE, "import { browserSuite } from '@tonerow/test-support/browser-suite.ts';"],
  ['a browser elsewhere', 'scripts/x.ts', "import { launchBrowser } from '@tonerow/test-support/browser.ts';"],
  ['a number of elements', SUITE, 'await expect(rows(page)).toHaveCount(3);'],
  ['a value that is polled', SUITE, "await expect.poll(() => field.inputValue()).toBe('ABC');"],
  ['a second page', SUITE, 'const other = await page.context().newPage();'],
  ['a wait for an address', SUITE, "await page.waitForURL('**/docs');"],
  ['a wait for a condition in a browser', SUITE, 'await vi.waitFor(() => expect(done).toBe(true));'],
  ['a wait for a condition', TEST, 'await vi.waitUntil(() => done, { timeout: 20_000 });'],
  ['a stream that waits', TEST, 'socket.pause();'],
  ['a pause outside of tests', 'packages/server/src/platform/x.ts', 'await pause(1000);'],
  ['a process of execa’s', 'scripts/x.ts', "import { execa } from 'execa';"],
  ['the start before anything is installed', 'scripts/bootstrap.mjs', "import { spawn } from 'node:child_process';"],
];

const placeOf = (kind: string, index: number, file: string) => `${kind}-${index}/${file}`;
let planted: Awaited<ReturnType<typeof plantFiles>>;
let messagesOf: (file: string) => string[];

beforeAll(async () => {
  const { overrides } = JSON.parse(await readFile('biome.json', 'utf8')) as {
    overrides: { includes: string[]; plugins?: string[] }[];
  };
  // only what is tested here: the planted lines break other rules, too
  const own = overrides
    .filter(({ plugins }) => plugins)
    .map(({ includes, plugins = [] }) => ({
      includes: includes.map((glob) => glob.replace(/^(!?)(test|scripts)\//, '$1**/$2/')),
      plugins: plugins.map((plugin) => path.resolve(plugin)),
    }));
  const files = new Map([
    ...refused.map(([, file, line], index) => [placeOf('no', index, file), `${line}\n`] as const),
    ...allowed.map(([, file, line], index) => [placeOf('yes', index, file), `${line}\n`] as const),
  ]);
  planted = await plantFiles({ root: true, linter: { rules: { preset: 'none' } }, overrides: own }, files);
  messagesOf = await planted.lint();
});
afterAll(() => planted.remove());

describe('in tests, the linter refuses', () => {
  it.each(refused.map(([what, file], index) => ({ what, file: placeOf('no', index, file) })))('$what', ({ file }) => {
    expect(messagesOf(file)).toEqual(['plugin']);
  });
});

describe('in tests, the linter allows', () => {
  it.each(allowed.map(([what, file], index) => ({ what, file: placeOf('yes', index, file) })))('$what', ({ file }) => {
    expect(messagesOf(file)).toEqual([]);
  });
});
