import path from 'node:path';
import type { BrowserContextOptions, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { sharedBrowser } from './browser.ts';
import { PAGE_TIMEOUT_MS } from './page-matchers.ts';
import { type SharedServer, sharedServer, type TestServer } from './server.ts';

/** Every step of a page, to be looked at in Playwright's viewer. */
const TRACED = process.env.TONEROW_TEST_TRACE === '1';
let traces = 0;

/** A file for the pages of the test that runs, or of the whole file after its tests; without an extension. */
function traceOf(): string {
  const { currentTestName = 'all', testPath = 'suite' } = expect.getState();
  traces += 1;
  const name = `${path.basename(testPath, '.test.ts')} ${traces} ${currentTestName}`;
  return path.resolve('.cache/traces', name.replace(/[^\w-]+/g, '-').slice(0, 120));
}

/** Describes the page of a failed test: a picture of it, and its words on the way to the report. */
async function picture(page: Page): Promise<string> {
  const file = `${traceOf()}.png`;
  await page.screenshot({ path: file });
  return `${page.url()}, as in ${file}:\n${await page.locator('body').ariaSnapshot()}`;
}

export type Theme = 'light' | 'dark';

interface OpenOptions {
  theme?: Theme;
  width?: number;
  /** Signs in before the first page, as a returning person's browser would be. */
  as?: { token: string };
  /** The time zone of the browser's clock. */
  timezoneId?: string;
  /** The time that the page's clock shows and keeps. */
  now?: Date;
  /** Another server than the suite's. */
  at?: { url: string };
}

interface Pages {
  /** A page in a context of its own. It closes after its test, or after the file when a hook of the whole file opened it. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
}

interface Suite extends Pages {
  /** There once hooks and tests run. */
  server: SharedServer;
  /** A page of the dashboard, which remembers a theme and who is signed in. It closes like every other. */
  openPage(options?: OpenOptions): Promise<Page>;
}

/**
 * The shared parts of suites in a browser: a server with the dashboard, the worker's or one of their own, and pages. It
 * stops and closes what it opened, also after a failure, and a test fails with what went wrong in its pages.
 */
export function browserSuite(start?: () => Promise<TestServer>): Suite {
  let server: SharedServer | undefined;
  let own: TestServer | undefined;
  const serve = async () => {
    own = await start?.();
    server = own ?? (await sharedServer({ web: true }));
  };
  beforeAll(() => Promise.all([serve(), sharedBrowser()]), 120_000);
  // hooks of this kind run last when they were declared first: the pages are closed by then
  afterAll(() => own?.stop());

  const running = (): SharedServer => {
    if (!server) throw new Error('the server is there once hooks and tests run');
    return server;
  };
  const pages = browserPages();
  const newPage: Pages['newPage'] = (options) =>
    pages.newPage({ baseURL: running().url, reducedMotion: 'reduce', ...options });
  return {
    server: {
      get url() {
        return running().url;
      },
      get db() {
        return running().db;
      },
      logged: () => running().logged(),
      email: (fits) => running().email(fits),
    },
    newPage,
    async openPage({ theme = 'light', width = 1280, as, timezoneId, now, at = running() } = {}) {
      const zone = timezoneId ? { timezoneId } : {};
      const page = await newPage({ baseURL: at.url, viewport: sizeOf(width), ...zone });
      await page.context().addInitScript(
        ([chosen, token]) => {
          // the blank page before the first address has no storage
          if (self.origin === 'null' || sessionStorage.getItem('prepared')) return;
          sessionStorage.setItem('prepared', 'yes');
          localStorage.setItem('theme', chosen ?? 'light');
          if (token) localStorage.setItem('token', token);
        },
        [theme, as?.token ?? ''],
      );
      if (now) await page.clock.setFixedTime(now);
      return page;
    },
  };
}

export const sizeOf = (width: number) => ({ width, height: width < 700 ? 844 : 860 });

/** Pages for suites without a server of ours. */
export function browserPages(): Pages {
  const ofTest: Page[] = [];
  const ofFile: Page[] = [];
  const complaints: string[] = [];
  const finish = async (pages: Page[]) => {
    for (const page of pages.splice(0)) {
      if (TRACED) await page.context().tracing.stop({ path: `${traceOf()}.zip` });
      await page.context().close();
    }
    const errors = complaints.splice(0);
    if (errors.length > 0) throw new Error(`errors in the browser:\n${errors.join('\n')}`);
  };

  beforeAll(() => sharedBrowser(), 120_000);
  beforeEach(() => void ofFile.push(...ofTest.splice(0)));
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail')
      for (const page of [...ofFile, ...ofTest])
        await picture(page).then(console.error, (lost) => console.error(`${page.url()}: no picture, ${lost}`));
    await finish(ofTest);
  });
  afterAll(() => finish([...ofFile, ...ofTest]));

  return {
    async newPage(options) {
      const context = await (await sharedBrowser()).newContext(options);
      if (TRACED) await context.tracing.start({ screenshots: true, snapshots: true });
      const page = await context.newPage();
      ofTest.push(page);
      page.setDefaultTimeout(PAGE_TIMEOUT_MS);
      // the first page of a server under load
      page.setDefaultNavigationTimeout(30_000);
      context.on('weberror', (thrown) => complaints.push(`${thrown.page()?.url()}: ${thrown.error().stack}`));
      // collects what our policy refuses, and what a timer throws where a page's time is set
      context.on('console', (line) => {
        // a call that the server refuses is one, too, and many tests are about that
        if (line.type() !== 'error' || line.text().startsWith('Failed to load resource')) return;
        complaints.push(`${line.page()?.url()}: ${line.text()}`);
      });
      return page;
    },
  };
}
