/**
 * Takes the README's pictures from the demo data, on a server of its own: the dashboard and the redemption page, light and
 * dark, into docs/pictures.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { launchBrowser } from '@tonerow/test-support/browser.ts';
import { freePort, spawnServer } from '@tonerow/test-support/process.ts';
import { execa } from 'execa';
import sharp from 'sharp';

const FOLDER = 'docs/pictures';
const MOST_BYTES = 200_000;
const DEVELOPER = { email: 'demo@tonerow.example', password: 'twelve notes in a row' };
const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];

const dataDir = await mkdtemp(path.join(tmpdir(), 'tonerow-pictures-'));
const port = await freePort();
const server = await spawnServer({ dataDir, port });
const env = { TONEROW_DATA_DIR: dataDir, PORT: String(port) };
const browser = await launchBrowser();
try {
  await execa(process.execPath, ['scripts/demo/main.ts'], { env });
  await mkdir(FOLDER, { recursive: true });
  const { token, user: account } = await post('/api/auth/login', DEVELOPER);
  const { rows } = await get('/api/serials?state=available&limit=1', token);
  for (const theme of themes) {
    await post('/api/developer/branding/update', { dark_mode: theme === 'dark', brand_color: '#0f766e' }, token);
    await dashboard(browser, theme, token);
    await redemptionPage(browser, theme, { dev: account.id, code: rows[0].code });
  }
} finally {
  await browser.close();
  server.child.kill('SIGTERM');
  await server.ended();
  await rm(dataDir, { recursive: true, force: true });
}

async function dashboard(browser: Browser, theme: Theme, token: string): Promise<void> {
  const page = await open(browser, theme, { width: 1280, height: 860 }, token);
  await page.goto(`${server.url}/dashboard/analytics?range=1m`);
  await page.getByRole('img', { name: /^Revenue by day/ }).waitFor();
  await page.getByText('Top reseller').waitFor();
  await save(page, `dashboard-${theme}`);
}

async function redemptionPage(browser: Browser, theme: Theme, { dev, code }: { dev: string; code: string }) {
  const page = await open(browser, theme, { width: 1280, height: 700 });
  await page.goto(`${server.url}/redeem?dev=${dev}&serial=${code}`);
  await page.getByLabel('Email').fill('nina.simone@example.com');
  await page.getByRole('button', { name: 'Continue' }).click();
  if (theme === 'light') {
    await page.getByLabel('First name').fill('Nina');
    await page.getByLabel('Last name').fill('Simone');
    await page.getByRole('button', { name: 'Submit' }).click();
  }
  await page.getByRole('heading', { name: 'Your downloads' }).waitFor();
  await save(page, `redemption-page-${theme}`);
}

async function open(browser: Browser, theme: Theme, viewport: { width: number; height: number }, token?: string) {
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor: 2,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-US',
  });
  await context.addInitScript(
    ([theme, token]) => {
      localStorage.setItem('theme', theme as string);
      if (token) localStorage.setItem('token', token);
    },
    [theme, token],
  );
  return context.newPage();
}

/** The smallest file that keeps text sharp. */
async function save(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode().catch(() => undefined))));
  const png = await page.screenshot({ animations: 'disabled' });
  const picture = await sharp(png).webp({ quality: 80, effort: 6, smartSubsample: true }).toBuffer();
  if (picture.length > MOST_BYTES) throw new Error(`${name} has ${picture.length} bytes`);
  await writeFile(path.join(FOLDER, `${name}.webp`), picture);
  process.stdout.write(`  ${name}.webp  ${Math.round(picture.length / 1000)} kB\n`);
  await page.context().close();
}

async function post(url: string, body: unknown, token?: string) {
  const answer = await fetch(server.url + url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`POST ${url} answered ${answer.status}`);
  return answer.json();
}

async function get(url: string, token: string) {
  const answer = await fetch(server.url + url, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`GET ${url} answered ${answer.status}`);
  return answer.json();
}
