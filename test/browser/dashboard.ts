import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from '@playwright/test';
import { expect } from 'vitest';

const screenshots = fileURLToPath(new URL('../../.cache/screenshots/', import.meta.url));

export type Theme = 'light' | 'dark';

export interface Person {
  email: string;
  password: string;
  token: string;
}

let made = 0;

/** A fresh account for each journey, created over HTTP. */
export async function createPerson(url: string, kind: 'developer' | 'reseller' = 'developer'): Promise<Person> {
  made += 1;
  const email = `browser-${Date.now()}-${made}@example.com`;
  const password = 'a row of twelve notes';
  const body = { first_name: 'Ada', last_name: 'Berg', email, password, company_name: 'Lowpass Audio' };
  await post(url, kind === 'developer' ? '/api/auth/register' : '/api/reseller/register', body);
  const { token } = await post<{ token: string }>(url, '/api/auth/login', { email, password });
  return { email, password, token };
}

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
  const person = await createPerson(url);
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

interface OpenOptions {
  theme?: Theme;
  width?: number;
  /** Signs in before the first page, as a returning person's browser would be. */
  as?: Pick<Person, 'token'>;
}

export async function openPage(
  browser: Browser,
  url: string,
  { theme = 'light', width = 1280, as }: OpenOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height: width < 700 ? 844 : 860 },
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  await context.addInitScript(
    ([chosen, token]) => {
      if (sessionStorage.getItem('prepared')) return;
      sessionStorage.setItem('prepared', 'yes');
      localStorage.setItem('theme', chosen ?? 'light');
      if (token) localStorage.setItem('token', token);
    },
    [theme, as?.token ?? ''],
  );
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  // An uncaught error or a violation of our content policy fails the test.
  page.on('pageerror', (error) => {
    throw error;
  });
  return page;
}

/** Opens a screen, and returns when it hears what happens: what happened before its stream was open came with no event. */
export async function openLive(page: Page, path: string): Promise<void> {
  const stream = page.waitForResponse('**/api/events');
  await page.goto(path);
  await stream;
}

/** Fails with every rule that axe finds broken, once what is on its way to the screen has arrived. */
export async function expectAccessible(page: Page) {
  await page.evaluate(() => document.fonts.ready);
  const broken = async () => {
    const { violations } = await new AxeBuilder({ page }).analyze();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ; ')}`);
  };
  // The first look has no time limit: one at a screen of 300 rows takes ten seconds and more.
  const first = await broken();
  if (first.length > 0) await expect.poll(broken, { timeout: 15_000, interval: 500 }).toEqual([]);
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
  expect(beyond, page.url()).toEqual([]);
}

export async function screenshot(page: Page, name: string) {
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: `${screenshots}${name}.png`, fullPage: true });
}
