import type { BrowserContextOptions, Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import {
  call,
  makeProduct,
  makeSerials,
  type Person,
  redeem,
  signUp,
  signUpVerified,
} from '@tonerow/test-support/http.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { DARK_PHONE, expectAccessible, expectNoSidewaysScroll, screenshot, setLook } from './dashboard.ts';

const { server, openPage, newPage } = browserSuite();
let ada: Person;
let product: { id: string };

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36';

beforeAll(async () => {
  ada = await signUp(server);
  const file_urls = ['Prism Delay 1.4 macOS.pkg', 'Manual.pdf', 'Prism Delay 1.4 Windows.exe'].map((name) => ({
    name,
    url: `${server.url}/favicon.svg`,
  }));
  product = await makeProduct(server, ada.token, { name: 'Prism Delay', file_urls });
});
const newSerial = async (of = product) =>
  (await makeSerials(server, ada.token, of.id, { quantity: 1 }))[0] as { id: string; code: string };

/** A file of so many bytes on the server. */
async function stored(name: string, bytes: number): Promise<{ name: string; url: string }> {
  const begun = await call(server, 'POST', '/api/files', { token: ada.token, body: { name, size: bytes } });
  const sent = await fetch(`${server.url}/api/files/${begun.body.id}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${ada.token}`,
      'content-type': 'application/octet-stream',
      'upload-offset': '0',
    },
    body: Buffer.alloc(bytes, 7),
  });
  expect(sent.ok).toBe(true);
  return { name, url: begun.body.url };
}

const brand = (look: object) =>
  call(server, 'POST', '/api/developer/branding/update', {
    token: ada.token,
    body: { brand_color: '#6d28d9', dark_mode: false, logo_url: null, support_email: null, ...look },
  });

const pageOf = (width: number, options: BrowserContextOptions = {}) =>
  newPage({ viewport: { width, height: 844 }, locale: 'en-US', ...options });

async function look(page: Page, name: string): Promise<void> {
  await screenshot(page, `musician-${name}`);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
}

describe('a musician', () => {
  it('finds the codes of an order by its number and address, and redeems one of them', async () => {
    const eve = await signUpVerified(server);
    const sold = await makeProduct(server, eve.token, { name: 'Needle EQ' });
    const email = 'nina-orders@example.com';
    const lines = [{ id: '1', quantity: 2, paid: '98.00', product_ids: [sold.id] }];
    const sale = { order: '#5001', email, currency: 'USD', lines };
    expect((await call(server, 'POST', '/api/sales', { token: eve.token, body: sale })).status).toBe(201);
    const page = await pageOf(390, { colorScheme: 'dark' });
    // as a shop’s success page links to it
    await page.goto(`/redeem?dev=${eve.id}&order=%235001`);
    await expect(page.getByRole('heading', { name: 'Find your order' })).toBeVisible();
    expect(await page.getByLabel('Order number').inputValue()).toBe('#5001');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await expect(page.getByText('Enter your email address')).toBeVisible();
    await look(page, 'order');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await expect(page.getByText('If this order exists')).toBeVisible();
    const sent = await server.email(({ to, text }) => to?.[0]?.address === email && /codes=/.test(text ?? ''));
    const [link = ''] = /https?:\S+codes=\S+/.exec(sent.text ?? '') ?? [];
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'Your order #5001' })).toBeVisible();
    expect(page.url()).not.toContain('codes=');
    await expect(page.getByRole('button', { name: 'Redeem' })).toHaveCount(2);
    await look(page, 'order-codes');
    await page.getByRole('button', { name: 'Redeem' }).first().click();
    await expect(page.getByRole('heading', { name: 'Redeem your serial' })).toBeVisible();
    expect(await page.getByLabel('Serial', { exact: true }).inputValue()).not.toBe('');
  });

  it('opens the serial from the email and reaches the maker, who has no support address', async () => {
    await brand({});
    const serial = await newSerial();
    const email = 'nina-opens@example.com';
    await redeem(server, serial.code, email, ada.id);
    const message = await server.email((each) => each.to?.[0]?.address === email);
    const link = /Open your downloads: (\S+)/.exec(message.text ?? '')?.[1] as string;
    await server.db.query('update serials set download_count = 5 where id = $1', [serial.id]);

    const page = await pageOf(390);
    await page.goto(link);
    await expect(page.getByText('Download limit reached. Request a reset.')).toBeVisible();
    // the token is not left where somebody else may read it
    await expect.poll(() => page.url()).not.toContain('downloads=');
    await page.getByRole('button', { name: 'Request Help' }).click();
    await expect.poll(() => page.getByLabel('Message').inputValue()).toContain(serial.code);
    await look(page, 'help.light-390');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(page.getByText('Your message is on its way.')).toBeVisible();
    const question = await server.email(
      (each) => each.to?.[0]?.address === ada.email && (each.subject ?? '').includes(serial.code),
    );
    expect(question.replyTo?.[0]?.address).toBe(email);

    await page.getByRole('button', { name: 'Release a computer' }).click();
    await expect(page.getByRole('heading', { name: 'Release a computer' })).toBeVisible();
    await look(page, 'free.light-390');
  });

  it('sees what can no longer be downloaded, with the reason', async () => {
    await brand({ dark_mode: true });
    const old = await makeProduct(server, ada.token, { name: 'Needle EQ' });
    const email = 'otis-closed@example.com';
    const [kept, revoked, withdrawn] = [await newSerial(), await newSerial(), await newSerial(old)];
    for (const { code } of [kept, revoked, withdrawn]) await redeem(server, code, email, ada.id);
    await server.db.query('update serials set revoked_at = now() where id = $1', [revoked.id]);
    await server.db.query('update products set deleted_at = now() where id = $1', [old.id]);
    await call(server, 'POST', '/api/redeem/my-products', { body: { email, dev: ada.id } });
    const message = await server.email(
      (each) => each.to?.[0]?.address === email && (each.text ?? '').includes('Open all my products'),
    );
    const page = await pageOf(1280);
    await page.goto(/Open all my products: (\S+)/.exec(message.text ?? '')?.[1] as string);
    const cards = page.getByRole('main').getByRole('listitem');
    await expect(
      cards.filter({ hasText: withdrawn.code }).getByText('The plugin’s maker no longer offers this product.'),
    ).toBeVisible();
    await expect(cards.filter({ hasText: revoked.code }).getByText('This license has been suspended.')).toBeVisible();
    await expect(cards.filter({ hasText: kept.code }).getByText('0/5')).toBeVisible();
    const help = cards.filter({ hasText: withdrawn.code }).getByRole('button', { name: 'Request Help' });
    await help.click();
    await expect.poll(() => page.getByLabel('Message').inputValue()).toContain('which you no longer offer');
    await look(page, 'closed.dark-1280');
  });

  it('gets the file for this computer first, with the help to install it that the developer wrote', async () => {
    await brand({});
    const serial = await newSerial();
    await redeem(server, serial.code, 'wanda@example.com', ada.id);
    const page = await pageOf(390, { userAgent: WINDOWS });
    // Chromium also reports the computer that the test runs on
    await page.addInitScript(() => Object.defineProperty(navigator, 'userAgentData', { value: undefined }));
    await page.goto(`${server.url}/redeem?dev=${ada.id}&serial=${serial.code}&email=wanda@example.com`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('heading', { name: 'Your downloads' })).toBeVisible();
    const card = page.getByRole('listitem').filter({ hasText: serial.code.slice(0, 4) });
    await expect
      .poll(() => card.getByRole('link').allInnerTexts())
      .toEqual(['Prism Delay 1.4 Windows.exe', 'Manual.pdf']);
    await card.getByText('Other systems').click();
    await expect(card.getByRole('link', { name: 'macOS' })).toBeVisible();
    await card.getByText('How to install').click();
    await expect(card.getByText('Program Files')).toBeVisible();
    await expectNoSidewaysScroll(page);
    const maker = await openPage({ as: ada });
    await maker.goto(`/products/edit/${product.id}`);
    await maker.getByLabel('Install help').fill('Run the installer.\nThen scan for plugins.');
    await screenshot(maker, 'musician-product.light-1280');
    await maker.getByRole('button', { name: 'Save Changes' }).click();
    await expect(maker.locator('[data-sonner-toast]').getByText('Product updated!')).toBeVisible();
    await maker.context().close();
    await page.goto(`${server.url}/redeem?dev=${ada.id}`);
    await card.getByText('How to install').click();
    await expect(card.getByText('Run the installer.')).toBeVisible();
    await expect(card.getByText('Then scan for plugins.')).toBeVisible();
  });

  it('sees version and size of each file, its own system’s first, in every language and width', async () => {
    await brand({});
    const files = await Promise.all(
      [
        ['Prism Choir macOS (Apple silicon and Intel).pkg', 2_500_000],
        ['Manual, 4 pages', 900],
        ['Prism Choir Windows.exe', 8100],
      ].map(([name, bytes]) => stored(name as string, bytes as number)),
    );
    files.push({ name: 'Presets', url: `${server.url}/favicon.svg` });
    const choir = await makeProduct(server, ada.token, { file_urls: files });
    const ask = (path: string, body: object) => call(server, 'POST', path, { token: ada.token, body });
    expect((await ask(`/api/products/${choir.id}/file-versions`, { name: '2.1.0-beta.3' })).status).toBe(201);
    const serial = await newSerial(choir);
    const email = 'choir@example.com';
    await redeem(server, serial.code, email, ada.id);

    const page = await pageOf(320, { userAgent: WINDOWS });
    await page.addInitScript(() => Object.defineProperty(navigator, 'userAgentData', { value: undefined }));
    const message = await server.email((each) => each.to?.[0]?.address === email);
    await page.goto(/https?:\/\/\S+\/redeem\S+/.exec(message.text ?? '')?.[0] as string);
    const card = page.getByRole('listitem').filter({ hasText: serial.code.slice(0, 4) });
    const shown = async () =>
      (await card.locator('.file').filter({ visible: true }).allInnerTexts()).map((text) =>
        text.replaceAll(/\s+/gu, ' ').trim(),
      );
    // nothing of a name is cut to make room for its version
    const cut = () =>
      card
        .locator('.file bdi')
        .evaluateAll((names) => names.filter((name) => name.scrollHeight > name.clientHeight + 1).length);
    await expect(card).toBeVisible();
    for (const [lang, width, size] of [
      ['de', 390, '8,1 kb'],
      ['fr', 390, '8,1 ko'],
      ['ja', 320, '8.1 kb'],
      ['en', 320, '8.1 kb'],
      ['de', 1280, '8,1 kb'],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await page.getByRole('combobox').selectOption(lang);
      await expect.poll(async () => (await shown())[0]?.toLowerCase()).toContain(size);
      expect(await shown()).toEqual([
        expect.stringMatching(/^Prism Choir Windows\.exe ?2\.1\.0-beta\.3 · /),
        expect.stringMatching(/^Manual, 4 pages ?2\.1\.0-beta\.3 · /),
        expect.stringMatching(/^Presets ?2\.1\.0-beta\.3$/),
      ]);
      expect(await cut()).toBe(0);
      await expectNoSidewaysScroll(page);
    }
    await card.locator('.others summary').click();
    await expect.poll(async () => (await shown()).length).toBe(4);
    await page.setViewportSize({ width: 320, height: 844 });
    await look(page, 'files-de.light-320');
  });

  it('reads email and page in the language of the redemption, and changes it by keyboard', async () => {
    for (const [lang, title, theme, brand_color] of [
      ['fr', 'Vos téléchargements', 'light', '#fefefe'],
      ['es', 'Sus descargas', 'light', '#ffee00'],
      ['ja', 'ダウンロード', 'dark', '#ffee00'],
      ['de', 'Ihre Downloads', 'dark', '#111111'],
    ] as const) {
      await brand({ dark_mode: theme === 'dark', brand_color });
      const serial = await newSerial();
      const email = `${lang}@example.com`;
      const first = await call(server, 'POST', '/api/redeem/initiate', {
        body: { serial: serial.code, email, language: lang },
      });
      await call(server, 'POST', '/api/redeem/complete', {
        body: { temp_token: first.body.temp_token, first_name: 'Nina', last_name: 'Simone', language: lang },
      });
      const message = await server.email((each) => each.to?.[0]?.address === email);
      const page = await pageOf(320);
      await page.setContent(message.html ?? '');
      await page.emulateMedia({ colorScheme: theme });
      await screenshot(page, `musician-email-${lang}.${theme}-320`);
      await expectNoSidewaysScroll(page);
      await page.goto(/https?:\/\/\S+\/redeem\S+/.exec(message.text ?? '')?.[0] as string);
      await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(lang);
      await page.locator('.install summary').click();
      await expectNoSidewaysScroll(page);
      if (lang === 'de') {
        await look(page, 'page-de.dark-320');
        await page.getByRole('combobox').focus();
        await page.keyboard.press('Home');
        await page.getByRole('combobox').selectOption('en');
        await expect(page.getByRole('heading', { name: 'Your downloads' })).toBeVisible();
        await page.reload();
        await expect(page.getByRole('heading', { name: 'Your downloads' })).toBeVisible();
      }
      await page.context().close();
    }
  });
});

describe('a developer', () => {
  it('sees page and email in every language before a musician does, and that help has no address', async () => {
    await brand({});
    const page = await openPage({ as: ada });
    await page.goto('/dashboard/settings/branding');
    await expect(page.getByText('You have no support address.')).toBeVisible();
    const preview = page.getByRole('region', { name: 'Preview' });
    const language = preview.getByRole('combobox', { name: 'Language of the preview' });
    await language.selectOption('ja');
    const shown = page.frameLocator('iframe');
    await expect(shown.getByText('日本語')).toBeVisible();
    await preview.getByRole('link', { name: 'Download View' }).click();
    await expect(shown.getByText('ダウンロード').first()).toBeVisible();
    await look(page, 'branding-page.light-1280');
    await setLook(page, DARK_PHONE);
    await preview.getByRole('link', { name: 'Email' }).click();
    await expect(preview.getByText(/^.+ の登録が完了しました/)).toBeVisible();
    await expect(shown.getByText('シリアル').first()).toBeVisible();
    await language.selectOption('de');
    await expect(preview.getByText(/^.+ gehört Ihnen/)).toBeVisible();
    await expect(shown.getByText('Seriennummer').first()).toBeVisible();
    await look(page, 'branding-email.dark-390');
    await page.getByLabel('Support email').fill('help@row.example');
    await expect(page.getByText('You have no support address.')).toHaveCount(0);
  });
});
