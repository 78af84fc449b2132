import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';

const HOST = 'get.row.example';
const BROWSER = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};
const clock = new TestClock(new Date());
let server: TestServer;
let ada: Person;
let fileUrl: string;

beforeAll(async () => {
  server = await startServer({
    env: { TONEROW_DOMAIN_TARGET: 'domains.tonerow.example' },
    overrides: { clock, dns: { cname: async (host) => (host === HOST ? ['domains.tonerow.example'] : []) } },
  });
  ada = await signUpVerified(server);
  const brand = { brand_color: '#ffee00', support_email: 'help@row.example', support_url: 'https://row.example/help' };
  await call(server, 'POST', '/api/developer/branding/update', { token: ada.token, body: brand });
  const begun = await call(server, 'POST', '/api/files', { token: ada.token, body: { name: 'Row.zip', size: 5 } });
  const sent = await call(server, 'PATCH', `/api/files/${begun.body.id}`, {
    token: ada.token,
    body: 'hello',
    headers: { 'content-type': 'application/octet-stream', 'upload-offset': '0' },
  });
  fileUrl = sent.body.url;
});
afterAll(() => server.stop());

let link: string;
let serial: { id: string; code: string };
let product: { id: string; name: string };
beforeEach(async () => {
  product = await makeProduct(server, ada.token, {
    name: `<Row> & ${Math.random()}`,
    file_urls: [{ name: 'Mac', url: fileUrl }],
  });
  [serial] = (await makeSerials(server, ada.token, product.id, { quantity: 1 })) as [typeof serial];
  const { body } = await redeem(server, serial.code, 'nina@example.com', ada.id);
  const url = new URL(
    body.products.find((each: { serial_code: string }) => each.serial_code === serial.code).files[0].url,
  );
  link = url.pathname + url.search;
});

const visit = (headers: Record<string, string> = {}, method = 'GET', path = link) =>
  call(server, method, path, { headers });
const count = async () =>
  (await server.db.query('select download_count as n from serials where id = $1', [serial.id]))[0]?.n;
const patch = (what: string) => call(server, 'PATCH', `/api/serials/${what}/${serial.id}`, { token: ada.token });

describe('a download is counted by a click alone', () => {
  it.each([
    ['a browser that fetches ahead', { ...BROWSER, 'sec-purpose': 'prefetch' }],
    ['one that renders ahead', { ...BROWSER, 'sec-purpose': 'prefetch;prerender' }],
    ['an older browser that fetches ahead', { ...BROWSER, purpose: 'prefetch' }],
    ['a Firefox that fetches ahead', { ...BROWSER, 'x-moz': 'prefetch' }],
    ['a Safari that draws a preview', { ...BROWSER, 'x-purpose': 'preview' }],
  ])('and not by %s, which is sent away', async (_name, headers) => {
    const answer = await visit(headers);
    expect([answer.status, answer.headers.get('location'), answer.headers.get('cache-control')]).toEqual([
      503,
      null,
      'no-store',
    ]);
    expect(await count()).toBe(0);
    expect((await visit(BROWSER)).status).toBe(302);
    expect(await count()).toBe(1);
  });

  it('but not for HEAD, which does not reveal where the file is', async () => {
    const answer = await visit(BROWSER, 'HEAD');
    expect([answer.status, answer.headers.get('location'), answer.text]).toEqual([200, null, '']);
    expect(await count()).toBe(0);
    await patch('revoke');
    expect((await visit({}, 'HEAD')).status).toBe(403);
    expect((await visit({}, 'HEAD', '/api/redeem/download?token=x')).status).toBe(401);
  });

  it.each([
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Mozilla/5.0 (Macintosh) AppleWebKit/601.2.4 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    'WhatsApp/2.23.20.0',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'TelegramBot (like TwitterBot)',
    'Mozilla/5.0 (Windows NT 6.1) SkypeUriPreview Preview/0.5',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  ])('and not by the preview of %s', async (agent) => {
    const answer = await visit({ 'user-agent': agent });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    expect(await count()).toBe(0);
    // a person who is taken for one clicks the button
    const start = /href="(\?token=[^"]*)"/.exec(answer.text)?.[1]?.replaceAll('&amp;', '&') as string;
    const clicked = await visit({ 'user-agent': agent }, 'GET', `/api/redeem/download${start}`);
    expect(clicked.status).toBe(302);
    expect(await count()).toBe(1);
  });

  it.each(['curl/8.5.0', 'Wget/1.21', 'Mozilla/5.0 (Linux; Android 14; CUBOT NOTE 40) Chrome/130 Mobile', 'node'])(
    'and %s is no preview',
    async (agent) => {
      expect((await visit({ 'user-agent': agent })).status).toBe(302);
      expect(await count()).toBe(1);
    },
  );
});

describe('a link that is refused', () => {
  it('is a page in the developer’s look for a browser, and a problem document for everybody else', async () => {
    await patch('revoke');
    const page = await visit(BROWSER);
    expect([page.status, page.headers.get('content-type'), page.headers.get('cache-control')]).toEqual([
      403,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.text).toContain('This license has been suspended.');
    expect(page.text).toContain('Row Audio');
    // yellow is no color to read white on
    expect(page.text).toMatch(/--brand:#ffee00;--on-brand:#000000/);
    expect(page.text).toContain(product.name.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;'));
    expect(page.text).toContain('href="mailto:help@row.example?subject=Help%20with%20downloading%20%3CRow%3E');
    expect(page.text).toContain(`href="${server.url}/redeem?dev=${ada.id}"`);
    expect(page.text).not.toContain(serial.code);
    expect(page.text).not.toContain('<script');
    for (const accept of ['', '*/*', 'application/json']) {
      const { status, body } = await visit({ accept });
      expect([status, body.code, body.message]).toEqual([403, 'serial_revoked', 'This license has been suspended.']);
    }
  });

  it('explains what to do when the limit is reached, in the reader’s language', async () => {
    await server.db.query('update serials set download_count = 5 where id = $1', [serial.id]);
    for (const [language, lang, says] of [
      ['', 'en', 'Download limit reached. Request a reset.'],
      ['xx, pt-BR;q=0.9', 'en', 'Download limit reached. Request a reset.'],
      ['de-CH, en;q=0.5', 'de', 'Das Download-Limit ist erreicht.'],
      ['en;q=0.3, fr-CA;q=0.8', 'fr', 'Limite de téléchargements atteinte.'],
      ['es', 'es', 'Límite de descargas alcanzado.'],
      ['ja,en;q=0', 'ja', 'ダウンロード回数の上限に達しました。'],
    ] as const) {
      const { status, text } = await visit({ ...BROWSER, 'accept-language': language });
      expect(status).toBe(403);
      expect(text).toContain(`<html lang="${lang}">`);
      expect(text).toContain(says);
    }
  });

  it('keeps the look when it is too old, and leads to the developer’s own domain', async () => {
    const domain = await call(server, 'POST', '/api/developer/custom-domain', {
      token: ada.token,
      body: { domain: HOST },
    });
    expect(domain.body.verified).toBe(true);
    clock.advance(2 * DAY);
    const { status, text } = await visit(BROWSER);
    expect(status).toBe(401);
    expect(text).toContain('This link no longer works');
    expect(text).toContain('Row Audio');
    expect(text).toContain(`href="https://${HOST}/redeem"`);
    await call(server, 'DELETE', '/api/developer/custom-domain', { token: ada.token });
  });

  it('shows an unbranded page when the link is invalid or missing', async () => {
    for (const path of ['/api/redeem/download?token=made-up', '/api/redeem/download', '/media/files/made-up/Row.zip']) {
      const { status, text } = await visit(BROWSER, 'GET', path);
      expect([400, 401]).toContain(status);
      expect(text).toContain('This link no longer works');
      expect(text).toContain('href="/redeem"');
      expect(text).not.toContain('Row Audio');
    }
  });
});

describe('a file that was handed out', () => {
  it('closes with its serial, and opens with it again', async () => {
    const address = new URL((await visit()).headers.get('location') as string).pathname;
    const fetched = async (headers: Record<string, string> = {}) => visit(headers, 'GET', address);
    expect((await fetched()).text).toBe('hello');
    await patch('revoke');
    const refused = await fetched({ range: 'bytes=2-' });
    expect([refused.status, refused.body.code]).toEqual([403, 'serial_revoked']);
    expect((await visit({}, 'HEAD', address)).status).toBe(403);
    const page = await fetched(BROWSER);
    expect([page.status, page.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    expect(page.text).toContain('Row Audio');
    await patch('reassign');
    expect((await fetched({ range: 'bytes=2-' })).text).toBe('llo');
    expect(await count()).toBe(1);
    await call(server, 'DELETE', `/api/products/${product.id}?force=true`, { token: ada.token });
    expect((await fetched()).status).toBe(403);
  });
});
