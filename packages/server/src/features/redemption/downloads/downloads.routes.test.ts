import {
  call,
  makeProduct,
  makeSerials,
  type Person,
  redeem,
  signUp,
  signUpVerified,
} from '@tonerow/test-support/http.ts';
import { insist } from '@tonerow/test-support/insist.ts';
import { startServer, TEST_SECRET, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, TestClock } from '#platform/clock.ts';
import { notFound } from '#platform/errors.ts';
import { systemRandom } from '#platform/random.ts';
import { Secrets } from '#platform/secrets/secrets.ts';
import { tables } from '../tables.ts';
import { Downloads } from './downloads.ts';

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

it('counts five of twenty simultaneous downloads of as many files', async () => {
  const file_urls = Array.from({ length: 20 }, (_, n) => ({ url: `https://cdn.example.com/chorus.dmg?${n}` }));
  const many = await makeProduct(server, ada.token, { file_urls });
  const [serial] = await makeSerials(server, ada.token, many.id, { quantity: 1 });
  const { body } = await redeem(server, serial?.code as string, 'loader@example.com');
  const links: URL[] = body.products[0].files.map(({ url }: { url: string }) => new URL(url));
  const clicks = await Promise.all(links.map((link) => insist(() => call(server, 'GET', link.pathname + link.search))));
  const through = clicks.filter((answer) => answer.status === 302);
  expect(through).toHaveLength(5);
  expect(through[0]?.headers.get('location')).toMatch(/^https:\/\/cdn\.example\.com\/chorus\.dmg\?\d+$/);
  expect(clicks.find((answer) => answer.status === 403)?.body.message).toBe('Download limit reached. Request a reset.');
  expect(server.logged()).not.toContain(links[0]?.searchParams.get('token') as string);
});

describe('a file in our own storage', () => {
  const content = Buffer.from('0123456789'.repeat(1000));
  let link: URL;
  let serialId: string;
  const click = () => call(server, 'GET', link.pathname + link.search);
  const count = async () =>
    (await server.db.query('select download_count as n from serials where id = $1', [serialId]))[0]?.n;
  beforeAll(async () => {
    // the clock was moved: the first session may be over
    const { token } = await signUp(server);
    const begun = await call(server, 'POST', '/api/files', {
      token,
      body: { name: 'Flanger.zip', size: content.length },
    });
    const sent = await call(server, 'PATCH', `/api/files/${begun.body.id}`, {
      token,
      body: content.toString(),
      headers: { 'content-type': 'application/octet-stream', 'upload-offset': '0' },
    });
    const flanger = await makeProduct(server, token, { file_urls: [{ name: '', url: sent.body.url }] });
    const [serial] = await makeSerials(server, token, flanger.id, { quantity: 1 });
    serialId = serial?.id as string;
    const { body } = await redeem(server, serial?.code as string, 'flanger@example.com');
    expect(body.products[0].files[0].name).toBe('Flanger.zip');
    link = new URL(body.products[0].files[0].url);
  });

  it('is counted at the click, and resumed by Range without another count', async () => {
    const clicked = await click();
    expect(clicked.status).toBe(302);
    const address = clicked.headers.get('location') as string;
    expect(address).toMatch(/\/media\/files\/[^/]+\/Flanger\.zip$/);
    const first = await fetch(address, { headers: { range: 'bytes=0-3999' } });
    const rest = await fetch(address, {
      headers: { range: 'bytes=4000-', 'if-range': first.headers.get('etag') ?? '' },
    });
    expect([first.status, rest.status]).toEqual([206, 206]);
    expect((await first.text()) + (await rest.text())).toBe(content.toString());
    expect(await count()).toBe(1);
    clock.advance(15 * MINUTE);
    const late = await fetch(address);
    expect([late.status, (await late.json()).code]).toEqual([401, 'download_token_invalid']);
    expect((await click()).status).toBe(302);
    expect(await count()).toBe(1);
  });

  it('costs nothing when it is gone', async () => {
    const before = await count();
    const random = systemRandom(clock);
    const downloads = new Downloads({
      db: tables.of(server.db as never),
      clock,
      secrets: new Secrets([TEST_SECRET], random),
      fileLinks: { signedUrl: async () => Promise.reject(notFound('File')) },
    } as never);
    const refusal = await downloads.follow(link.searchParams.get('token') as string).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'not_found', status: 404 });
    expect(await count()).toBe(before);
  });
});

describe('a customer’s download of one file', () => {
  it('counts once within six hours, whatever its resumes, segments and a full count', async () => {
    const { token, id } = await signUp(server);
    const files = Array.from({ length: 6 }, (_, n) => ({ name: `Part ${n}`, url: `https://cdn.example.com/${n}.zip` }));
    const made = await makeProduct(server, token, { file_urls: files });
    const [serial] = await makeSerials(server, token, made.id, { quantity: 1 });
    const { body } = await redeem(server, serial?.code as string, 'segments@example.com', id);
    const click = async (n: number, method = 'GET') => {
      const headers = { range: `bytes=${n}-` };
      return (await call(server, method, body.products[0].files[n].url.slice(server.url.length), { headers })).status;
    };
    const state = async () => {
      const [row] = await server.db.query(
        `select download_count as n, (select count(*)::int from serial_events e where e.developer_id = s.developer_id and e.serial_id = s.id and kind = 'downloaded') as noted
         from serials s where id = $1`,
        [serial?.id],
      );
      return [row?.n, row?.noted];
    };
    const segments = await Promise.all(Array.from({ length: 8 }, () => click(0)));
    expect(new Set(segments)).toEqual(new Set([302]));
    expect(await state()).toEqual([1, 1]);
    for (const n of [1, 2, 3, 4]) expect(await click(n)).toBe(302);
    expect(await state()).toEqual([5, 5]);
    // at the limit, a file that has begun can be finished; another one cannot begin
    expect([await click(0), await click(0, 'HEAD'), await click(5), await click(5, 'HEAD')]).toEqual([
      302, 200, 403, 403,
    ]);
    expect(await state()).toEqual([5, 5]);
    clock.advance(6 * HOUR);
    expect(await click(0)).toBe(403);
    await call(server, 'PATCH', `/api/serials/refresh/${serial?.id}`, { token });
    expect(await click(0)).toBe(302);
    clock.advance(6 * HOUR - MINUTE);
    expect(await click(0)).toBe(302);
    expect((await state())[0]).toBe(1);
    clock.advance(MINUTE);
    expect(await click(0)).toBe(302);
    expect((await state())[0]).toBe(2);
    // the next owner's is another download
    const to = { email: 'next@example.com' };
    await server.db.query(
      `with other as (insert into customers (developer_id, id, email, email_key, first_name, last_name, created_at)
         select developer_id, gen_random_uuid(), $2, $2, 'Nia', 'Next', created_at from customers where developer_id = $3 limit 1 returning id)
       update serials set customer_id = (select id from other) where developer_id = $3 and id = $1`,
      [serial?.id, to.email, id],
    );
    expect(await click(0)).toBe(302);
    expect((await state())[0]).toBe(3);
  });
});
