import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page, Route } from '@playwright/test';
import { sizeOf, type Theme } from '@tonerow/test-support/browser-suite.ts';
import { signUp } from '@tonerow/test-support/http.ts';
import { PAGE_TIMEOUT_MS } from '@tonerow/test-support/page-matchers.ts';
import { expect } from 'vitest';

const screenshots = fileURLToPath(new URL('../../.cache/screenshots/', import.meta.url));

export async function post<T>(url: string, path: string, body: unknown, token?: string): Promise<T> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** A developer with two products, serials of each kind, and one customer who has redeemed. */
export async function createShop(url: string) {
  const person = await signUp({ url });
  const product = await post<{ id: string }>(
    url,
    '/api/products',
    { name: 'Prism Delay', short_desc: 'A delay', price: 99, sale_price: 69, feature_list: ['Freeze'], file_urls: [] },
    person.token,
  );
  await post(url, '/api/products', { name: 'Needle EQ', is_draft: true }, person.token);
  const batch = await post<{ serials: { code: string }[] }>(
    url,
    '/api/serials/generate',
    { product_id: product.id, quantity: 12, prefix: 'PRSM' },
    person.token,
  );
  await post(
    url,
    '/api/serials/generate',
    { product_id: product.id, quantity: 3, promo_price: 49, batch_tag: 'Black Friday' },
    person.token,
  );
  const codes = batch.serials.map((serial) => serial.code);
  await redeem(url, codes[0] ?? '', 'mara@example.com');
  await post(url, '/api/developer/plugin-keys', { label: 'Universal API key' }, person.token);
  const get = async (path: string) =>
    (await fetch(url + path, { headers: { authorization: `Bearer ${person.token}` } })).json();
  const [redeemed] = (await get('/api/serials/redeemed')).rows;
  return {
    ...person,
    productId: product.id,
    codes,
    serialId: redeemed.id as string,
    batchId: redeemed.batch_id as string,
    customerId: redeemed.customer.id as string,
  };
}

export async function redeem(url: string, serial: string, email: string) {
  const first = await post<{ require_name: boolean; temp_token?: string }>(url, '/api/redeem/initiate', {
    serial,
    email,
  });
  if (first.require_name) {
    await post(url, '/api/redeem/complete', {
      temp_token: first.temp_token,
      first_name: 'Mara',
      last_name: 'Lindqvist',
    });
  }
}

/** A plugin's calls, with their own key; returns the status that the plugin received. */
export async function createPlugin(url: string, token: string) {
  const { plaintext } = await post<{ plaintext: string }>(
    url,
    '/api/developer/plugin-keys',
    { label: 'Of a plugin' },
    token,
  );
  return async (verb: 'activate' | 'validate', body: object): Promise<string> => {
    const response = await fetch(`${url}/api/license/v1/${verb}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${plaintext}` },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { status: string }).status;
  };
}

/** Opens a screen, and returns when it hears what happens: what happened before its stream was open is shown, but not announced. */
export async function openLive(page: Page, path: string): Promise<void> {
  const stream = page.waitForResponse('**/api/events*');
  await page.goto(path);
  await stream;
}

/**
 * Lets calls of pages that are opened from here fail. They hear nothing live, also once it is mended: what a page may have missed is read again
 * as soon as it listens, and the button that tries it again would be gone before it is pressed.
 * @param how default: the server cannot be reached
 * @returns what mends the calls; a page that others use afterwards needs `page.unrouteAll()`, too
 */
export async function breakCalls(
  page: Page,
  url: string,
  how?: Parameters<Route['fulfill']>[0],
): Promise<() => Promise<void>> {
  const fail = (route: Route) => (how ? route.fulfill(how) : route.abort());
  await page.route('**/api/events*', () => {});
  await page.route(url, fail);
  return () => page.unroute(url, fail);
}

export const isFocused = (element: Locator) => element.evaluate((one) => one === document.activeElement);

/**
 * Presses keys, one after the other, until what they bring is there: a screen hears keys a moment after it is shown.
 * @param keys with a space between two
 * @param isThere is asked before each time, so that what is heard at once is pressed once
 */
export const pressUntil = (page: Page, keys: string, isThere: () => Promise<boolean>) =>
  expect
    .poll(
      async () => {
        if (await isThere()) return true;
        for (const key of keys.split(' ')) await page.keyboard.press(key);
        return isThere();
      },
      { timeout: PAGE_TIMEOUT_MS },
    )
    .toBe(true);

/** Goes to the first row of a list, or to its first card, with `j`. */
export const pressToFirstRow = (page: Page) =>
  pressUntil(page, 'j', () => isFocused(page.locator('[data-row-link]').filter({ visible: true }).first()));

/** Leaves a record for the next one of its list with `j`, which is pressed once only: another one would skip a record. */
export async function pressToNextRecord(page: Page) {
  const before = await page.evaluate(() => location.href);
  // at once, the address is another one, or the line beside it shows that the next record is still on its way
  const isHeard = () =>
    page.evaluate((left) => {
      const line = document.querySelector('nav[aria-label^="Other "] [role=status]');
      return location.href !== left || Boolean(line?.textContent);
    }, before);
  await pressUntil(page, 'j', isHeard);
}

/** The file that a click saves. */
export async function savedBy(button: Locator) {
  const [download] = await Promise.all([button.page().waitForEvent('download'), button.click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

/** One of the short messages that come and go. */
export const expectToast = (page: Page, text: string | RegExp) =>
  expect(page.locator('[data-sonner-toast]').getByText(text).first()).toBeVisible();

/** Waits for one of them and keeps it: its time stops while the pointer is on it. */
export async function holdToast(page: Page, text: string): Promise<Locator> {
  const notice = page.locator('[data-sonner-toast]').filter({ hasText: text }).first();
  await expect(notice).toBeVisible();
  await notice.hover();
  return notice;
}

const { resolve } = createRequire(import.meta.url);
const axe = readFileSync(createRequire(resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'), 'utf8');
/** The rules whose outcome a theme can change on the same elements. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

interface Violation {
  id: string;
  nodes: { html: string }[];
}

/**
 * The violations that axe finds. It runs in the page itself, which costs a quarter of what its builder takes with a
 * page beside it.
 */
export async function violationsIn(page: Page, rules?: string[]): Promise<Violation[]> {
  if (page.frames().length > 1) {
    const builder = new AxeBuilder({ page });
    return (await (rules ? builder.withRules(rules) : builder).analyze()).violations;
  }
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(async (only) => {
    type Run = (where: Document, options: object) => Promise<{ violations: Violation[] }>;
    const { run } = (window as unknown as { axe: { run: Run } }).axe;
    const { violations } = await run(document, { resultTypes: ['violations'], ...(only ? { runOnly: only } : {}) });
    return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }));
  }, rules);
}

/** Fails with every rule that axe finds broken, once what is on its way to the screen has arrived. */
export async function expectAccessible(page: Page, rules?: string[]) {
  await page.evaluate(() => document.fonts.ready);
  const broken = async () =>
    (await violationsIn(page, rules)).map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ; ')}`);
  // The first look has no time limit: one at a screen of 300 rows takes seconds.
  const first = await broken();
  if (first.length === 0) return;
  await expect.poll(broken, { timeout: 15_000, interval: 500, message: await placeOf(page) }).toEqual([]);
}

/** Names the page and its look for a failure's message. */
async function placeOf(page: Page): Promise<string> {
  const dark = await page.evaluate(() => document.documentElement.classList.contains('dark'));
  return `${page.url()}, ${dark ? 'dark' : 'light'}, ${page.viewportSize()?.width} wide`;
}

/** The page itself must not scroll sideways. */
export async function expectNoSidewaysScroll(page: Page) {
  const beyond = await page.evaluate(() =>
    document.documentElement.scrollWidth <= window.innerWidth
      ? []
      : [...document.querySelectorAll('body *')]
          .filter((element) => {
            const { left, right } = element.getBoundingClientRect();
            return right > window.innerWidth || left < 0;
          })
          .map((element) => element.outerHTML.slice(0, 200)),
  );
  if (beyond.length > 0) expect(beyond, await placeOf(page)).toEqual([]);
}

/** Expects every search field to be wide enough for its whole placeholder. */
export async function expectWholePlaceholders(page: Page) {
  const cut = await page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d');
    return [...document.querySelectorAll<HTMLInputElement>('input[type=search]')]
      .filter((field) => field.offsetParent !== null && field.value === '')
      .map((field) => {
        const { paddingLeft, paddingRight } = getComputedStyle(field);
        if (pen) pen.font = getComputedStyle(field, '::placeholder').font;
        const needed = pen?.measureText(field.placeholder).width ?? 0;
        const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
        return needed <= room ? '' : `${field.placeholder}: ${Math.round(needed)} of ${Math.round(room)}`;
      })
      .filter(Boolean);
  });
  if (cut.length > 0) expect(cut, await placeOf(page)).toEqual([]);
}

/** Takes an image for people who look at the screens, into `.cache/screenshots`. The whole suite draws none. */
export async function screenshot(page: Page, name: string, fullPage = true) {
  if (process.env.TONEROW_TEST_SCREENSHOTS === '0') return;
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: `${screenshots}${name}.jpg`, type: 'jpeg', quality: 80, fullPage });
}

export type Look = readonly [Theme, number];

/** Both themes on a desk and on a phone. In each width, the first one is held to all rules, and the other to those of colors. */
export const ALL_LOOKS: readonly Look[] = [
  ['light', 1280],
  ['dark', 1280],
  ['dark', 390],
  ['light', 390],
];

export const DARK_PHONE: Look = ['dark', 390];

/** A desk by day and a phone by night: for what is not a screen of its own. */
const TWO_LOOKS: readonly Look[] = [['light', 1280], DARK_PHONE];

/** Gives the open page another width and theme; the theme as a person does it, with the product's own button. */
export async function setLook(page: Page, [theme, width]: Look) {
  if (page.viewportSize()?.width !== width) await page.setViewportSize(sizeOf(width));
  await page.evaluate(async (wanted) => {
    if (document.documentElement.classList.contains('dark') !== (wanted === 'dark')) {
      const name = (label: string) => `button[aria-label="${label}" i]`;
      const button = document.querySelector<HTMLElement>(
        `${name(`Use the ${wanted} theme`)}, ${name(`${wanted} theme`)}`,
      );
      // not by the pointer: a dialog may lie over it
      if (button) button.click();
      // a page without the button knows its theme by this alone, as when it loads
      else document.documentElement.classList.toggle('dark', wanted === 'dark');
    }
    // parts that follow the size of the window follow a frame later
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  }, theme);
}

/**
 * The same browser for somebody else, or for nobody yet, from the next address on: all that the one before has left in
 * it are the files that it need not load again.
 */
export async function handOver(page: Page, person?: { token: string }): Promise<void> {
  // an answer that is on its way would be stored as the next person's account
  await page.goto('/favicon.svg');
  await page.evaluate((token) => {
    localStorage.clear();
    sessionStorage.clear();
    // or the page's first script would sign in the one before
    sessionStorage.setItem('prepared', 'yes');
    localStorage.setItem('theme', 'light');
    if (token) localStorage.setItem('token', token);
  }, person?.token);
}

interface Shown {
  looks?: readonly Look[];
  /** Done in each look before it is looked at, such as opening what closes when something else is clicked. */
  open?: () => Promise<unknown>;
}

/** Holds the open page to what every screen keeps to, in one look after another, and takes a picture of each. */
export async function expectGoodLooks(page: Page, name: string, { looks = TWO_LOOKS, open }: Shown = {}) {
  const widths = new Set<number>();
  const failures: unknown[] = [];
  for (const [theme, width] of looks) {
    await setLook(page, [theme, width]);
    await open?.();
    const known = widths.has(width);
    widths.add(width);
    // a fault in one look hides none in another
    await expectAccessible(page, known ? COLOR_RULES : undefined)
      .then(() => expectNoSidewaysScroll(page))
      .then(() => expectWholePlaceholders(page))
      .catch((failure: unknown) => failures.push(failure));
    await screenshot(page, `${name}.${theme}-${width}`, !known);
  }
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('\n\n'));
}
