import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { call, makeProduct, makeSerials, type Person, signUp } from '../support/http.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { expectAccessible, expectNoSidewaysScroll, screenshot } from './dashboard.ts';

let server: TestServer;
let browser: Browser;
let ada: Person;
let product: { id: string };

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer({ web: true }), launchBrowser()]);
  ada = await signUp(server);
  const files = [
    { name: 'macOS', url: `${server.url}/favicon.svg` },
    { name: 'Windows', url: `${server.url}/favicon.svg` },
  ];
  product = await makeProduct(server, ada.token, { name: 'Prism Delay', file_urls: files });
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const newSerial = async () =>
  (await makeSerials(server, ada.token, product.id, { quantity: 1 }))[0] as { id: string; code: string };

async function pageOf(theme: 'light' | 'dark', width: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 844 }, reducedMotion: 'reduce' });
  await context.addInitScript((name) => localStorage.setItem('theme', name), theme);
  return context.newPage();
}

const variants = [
  ['light', 390],
  ['dark', 390],
  ['light', 1280],
  ['dark', 1280],
] as const;

describe('a musician', () => {
  it.each(variants)('redeems, downloads, comes back and meets the limit (%s, %i px)', async (theme, width) => {
    const serial = await newSerial();
    const page = await pageOf(theme, width);
    const look = async (name: string) => {
      await screenshot(page, `redeem-${name}.${theme}-${width}`);
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    };
    await page.goto(`${server.url}/redeem?dev=${ada.id}`);
    await page.getByRole('heading', { name: 'Redeem your serial' }).waitFor();
    await look('serial');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Enter your serial.').waitFor();
    await page.getByLabel('Serial').fill('aaaa aaaa aaaa aaaa');
    expect(await page.getByLabel('Serial').inputValue()).toBe('AAAA-AAAA-AAAA-AAAA');
    await page.getByLabel('Email').fill(`fan-${theme}-${width}@example.com`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('We don’t know this serial.').waitFor();
    await look('wrong');

    await page.getByLabel('Serial').fill(` ${serial.code.toLowerCase().replaceAll('-', ' ')} `);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Who is it for?' }).waitFor();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Please enter both first and last name').waitFor();
    await look('name');
    await page.getByLabel('First name').fill('Nina');
    await page.getByLabel('Last name').fill('Simone');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('heading', { name: 'Your downloads' }).waitFor();
    await page.getByText('0/5').waitFor();
    await look('downloads');

    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'macOS' }).click();
    await (await opened).close();
    await page.getByText('1/5').waitFor();
    await page.reload();
    await page.getByText('1/5').waitFor();

    await server.db.query('update serials set download_count = 5 where id = $1', [serial.id]);
    await page.reload();
    await page.getByText('Download limit reached. Request a reset.').waitFor();
    expect(await page.getByRole('link', { name: 'macOS' }).count()).toBe(0);
    await look('limit');
    await call(server, 'PATCH', `/api/serials/revoke/${serial.id}`, { token: ada.token });
    await page.reload();
    await page.getByText('This license has been suspended.').waitFor();
    await look('suspended');
    await page.context().close();
  });

  it('collects several serials in one browser, and is told what to do without a connection', async () => {
    const [one, two] = [await newSerial(), await newSerial()];
    const page = await pageOf('light', 390);
    await page.goto(`${server.url}/redeem?serial=${one.code}&email=both@example.com`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('First name').fill('Nina');
    await page.getByLabel('Last name').fill('Simone');
    await page.getByRole('button', { name: 'Submit' }).dblclick();
    await page.getByRole('heading', { name: 'Your downloads' }).waitFor();
    await page.getByRole('button', { name: 'Redeem another serial' }).click();
    await page.getByLabel('Serial').fill(two.code);
    await page.getByLabel('Email').fill('both@example.com');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('We can’t reach the server.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Your downloads' }).waitFor();
    expect(await page.getByRole('listitem').count()).toBe(2);
    expect(
      await server.db.query('select 1 from redemptions where serial_id = any($1)', [[one.id, two.id]]),
    ).toHaveLength(2);
    await page.context().close();
  });

  it('types in the middle of the code without the caret running away', async () => {
    const page = await pageOf('light', 390);
    await page.goto(`${server.url}/redeem`);
    const field = page.getByLabel('Serial');
    await field.pressSequentially('abcdfgh');
    expect(await field.inputValue()).toBe('ABCD-FGH');
    for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('e');
    expect(await field.inputValue()).toBe('ABCD-EFGH');
    await page.keyboard.type('2');
    expect(await field.inputValue()).toBe('ABCD-E2FG-H');
    await page.context().close();
  });
});
