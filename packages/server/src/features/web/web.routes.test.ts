import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { call, signUpVerified } from '@tonerow/test-support/http.ts';
import { freePort } from '@tonerow/test-support/process.ts';
import { TEST_SECRET } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '#platform/log.ts';
import { readConfig } from '../../config.ts';
import { type Running, serve } from '../../serve.ts';

const HOST = 'app.row.example';
let folder: string;
let db: TestDatabase;
let server: Running;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tonerow-web-'));
  const web = path.join(folder, 'dist');
  await mkdir(path.join(web, 'assets'), { recursive: true });
  await writeFile(path.join(web, 'index.html'), 'the dashboard');
  await writeFile(path.join(web, 'redeem.html'), 'the redemption page');
  await writeFile(path.join(web, 'docs.html'), 'the API reference');
  await writeFile(path.join(web, 'favicon.svg'), '<svg/>');
  await mkdir(path.join(web, 'help'));
  await writeFile(path.join(web, 'help/index.html'), 'the guides');
  await writeFile(path.join(web, 'help/juce.html'), 'a guide');
  await writeFile(path.join(web, 'help/.draft.html'), 'a secret');
  await mkdir(path.join(web, '.vite'));
  for (const file of ['.vite/manifest.json', '.built', '.env.json', 'assets/.map.js', 'index.html.gz'])
    await writeFile(path.join(web, file), 'a secret');
  await writeFile(path.join(web, 'assets/a.js'), 'a');
  await writeFile(path.join(folder, 'secret.txt'), 'a secret');
  db = await createTestDatabase();
  const config = readConfig({
    PORT: String(await freePort()),
    TONEROW_DATA_DIR: path.join(folder, 'data'),
    DATABASE_URL: db.url,
    TONEROW_SECRET: TEST_SECRET,
    TONEROW_RATE_LIMITS: 'off',
    TONEROW_DOMAIN_TARGET: 'domains.tonerow.example',
    STRIPE_SECRET_KEY: 'sk_test_of_this_test',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_of_this_test',
  });
  server = await serve(
    { ...config, databaseUrl: db.url, secrets: [TEST_SECRET], webFolder: web },
    {
      strict: true,
      overrides: {
        log: createLogger('silent'),
        dns: { cname: async (host) => (host === HOST ? ['domains.tonerow.example'] : []) },
      },
    },
  );
  for (const domain of [HOST, 'waiting.row.example']) {
    const { token } = await signUpVerified({ url: server.url, db });
    await call(server, 'POST', '/api/developer/custom-domain', { token, body: { domain } });
  }
});
afterAll(async () => {
  await server.stop();
  await db.drop();
  await rm(folder, { recursive: true, force: true });
});

/** A request exactly as it is written here. */
function raw(line: string, host: string): Promise<{ status: number; location: string | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () =>
      socket.write(`${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    );
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (part) => {
      text += part;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', ...rest] = text.split('\r\n\r\n');
      resolve({
        status: Number(head.split(' ')[1]),
        location: /^location: (.*)$/im.exec(head)?.[1],
        body: rest.join('\r\n\r\n'),
      });
    });
  });
}

const DASHBOARD = { status: 200, body: 'the dashboard' };
const REDEMPTION = { status: 200, body: 'the redemption page' };

describe('our own host', () => {
  it.each(['127.0.0.1', 'localhost:4000', 'other.example', 'waiting.row.example', `x.${HOST}`, 'row.example'])(
    'has the dashboard: %s',
    async (host) => {
      for (const url of ['/', '/login', '/dashboard/serials', '/index.html']) {
        expect(await raw(`GET ${url}`, host)).toMatchObject(DASHBOARD);
      }
      expect(await raw('GET /redeem?dev=x', host)).toMatchObject(REDEMPTION);
      for (const url of ['/docs', '/docs/?a=b'])
        expect(await raw(`GET ${url}`, host)).toMatchObject({ status: 200, body: 'the API reference' });
    },
  );
});

describe('the screen where a card is entered', () => {
  const policyOf = async (url: string) =>
    (await fetch(server.url + url)).headers.get('content-security-policy')?.split(';') ?? [];

  it('may load Stripe’s script, frames and API, and no other screen may', async () => {
    for (const url of ['/dashboard/settings/card', '/dashboard/settings/card/?from=email']) {
      const policy = await policyOf(url);
      expect(policy).toContain("script-src 'self' https://js.stripe.com https://*.js.stripe.com");
      expect(policy).toContain(
        "frame-src 'self' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
      );
      expect(policy).toContain("connect-src 'self' https://api.stripe.com");
      expect(policy).toContain("frame-ancestors 'none'");
    }
    for (const url of [
      '/',
      '/dashboard/settings',
      '/dashboard/settings/cards',
      '/dashboard/billing',
      '/redeem',
      '/docs',
    ])
      expect((await policyOf(url)).join(), url).not.toContain('stripe');
  });
});

describe('the help pages', () => {
  it('are open to everybody, each at its own address', async () => {
    for (const url of ['/help', '/help/', '/help?from=menu'])
      expect(await raw(`GET ${url}`, '127.0.0.1')).toMatchObject({ status: 200, body: 'the guides' });
    expect(await raw('GET /help/juce', '127.0.0.1')).toMatchObject({ status: 200, body: 'a guide' });
    expect(await raw('GET /help/index', '127.0.0.1')).toMatchObject({ status: 200, body: 'the guides' });
    const { headers } = await fetch(`${server.url}/help/juce`);
    expect(headers.get('content-type')).toContain('text/html');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('cache-control')).toBe('no-cache');
  });

  it('show the list of guides at an address that has none', async () => {
    for (const url of ['/help/nothing', '/help/.draft', '/help/..%2fsecret', '/help/%2e%2e%2findex'])
      expect(await raw(`GET ${url}`, '127.0.0.1'), url).toMatchObject({ status: 404, body: 'the guides' });
    expect((await raw('POST /help', '127.0.0.1')).status).toBe(404);
  });

  it('are not on a developer’s own domain', async () => {
    for (const url of ['/help', '/help/juce', '/help/nothing'])
      expect(await raw(`GET ${url}`, HOST), url).toMatchObject({ status: 302, location: '/' });
  });
});

describe('what is no page of the dashboard', () => {
  it('is 404, so that no monitor and no reader takes the dashboard for it', async () => {
    for (const url of ['/health', '/healthz', '/metrics', '/health/', '/problems/bogus'])
      expect((await raw(`GET ${url}`, 'tonerow.test')).status, url).toBe(404);
    for (const url of ['/problems/name_taken', '/healthy', '/login'])
      expect((await raw(`GET ${url}`, 'tonerow.test')).status, url).toBe(200);
  });
});

describe('a developer’s own domain', () => {
  it.each([HOST, HOST.toUpperCase(), `${HOST}.`, `${HOST}:8443`, `${HOST}.:443`])(
    'has the redemption page, and nothing of the dashboard: %s',
    async (host) => {
      for (const url of ['/', '/?serial=ABCD', '/redeem', '/redeem/', '/redeem?serial=ABCD']) {
        expect(await raw(`GET ${url}`, host)).toMatchObject(REDEMPTION);
      }
      expect(await raw('HEAD /', host)).toMatchObject({ status: 200, body: '' });
      for (const url of [
        '/login',
        '/register',
        '/dashboard',
        '/dashboard/settings/',
        '/index.html',
        '/docs',
        '/redeem/x',
      ]) {
        expect(await raw(`GET ${url}`, host)).toMatchObject({ status: 302, location: '/' });
      }
    },
  );

  it('has the files that its page needs, and the API', async () => {
    expect(await raw('GET /favicon.svg', HOST)).toMatchObject({ status: 200, body: '<svg/>' });
    expect(await raw('GET /assets/a.js', HOST)).toMatchObject({ status: 200, body: 'a' });
    expect((await raw('GET /livez', HOST)).status).toBe(200);
    expect((await raw(`GET /api/branding/domain?host=${HOST}`, HOST)).status).toBe(200);
    for (const url of [
      '/nothing.js',
      '/api/nothing',
      '/internal/tls/ask',
      '//internal/tls/ask',
      '/x/../internal/tls/ask',
      '/assets/nothing.js',
    ]) {
      expect((await raw(`GET ${url}`, HOST)).status).toBe(404);
    }
    expect((await raw('POST /login', HOST)).status).toBe(404);
  });
});

describe('a Host header that makes no sense', () => {
  it.each([
    '',
    '%',
    '"',
    `${HOST}/`,
    `${HOST}@x`,
    `x@${HOST}`,
    `${HOST},x`,
    '[::1]',
    '..',
    'a'.repeat(5000),
    '\xff\xfe',
  ])('is a stranger: %j', async (host) => {
    expect(await raw('GET /', host)).toMatchObject(DASHBOARD);
  });

  it('redirects nowhere else, and ignores a host in the request line', async () => {
    expect(await raw(`GET http://${HOST}/`, '127.0.0.1')).toMatchObject(DASHBOARD);
    expect(await raw('GET http://evil.example/login', HOST)).toMatchObject({ status: 302, location: '/' });
    expect(await raw('GET http://evil.example', HOST)).toMatchObject(REDEMPTION);
    expect(await raw('GET //evil.example/login', HOST)).toMatchObject({ status: 302, location: '/' });
  });

  it.each(['127.0.0.1', HOST])('hands out nothing that the build notes for itself: %s', async (host) => {
    for (const url of [
      '/.vite/manifest.json',
      '/%2evite/manifest.json',
      '//.vite/manifest.json',
      '/x/../.vite/manifest.json',
      '/assets/../.vite/manifest.json',
      '/assets/%2e%2e/.vite/manifest.json',
      '/.built',
      '/.env.json',
      '/assets/.map.js',
      '/index.html.gz',
    ]) {
      const answer = await raw(`GET ${url}`, host);
      expect(answer.body, url).not.toContain('a secret');
      expect([302, 400, 403, 404], url).toContain(answer.status);
    }
  });

  it('opens no file outside the folder', async () => {
    for (const url of [
      '/../secret.txt',
      '/x/../../secret.txt',
      '//../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/assets/../../secret.txt',
      '/assets/%2e%2e/%2e%2e/secret.txt',
      'http://x/../secret.txt',
      'http://../secret.txt',
      '/secret.txt%00',
    ]) {
      const answer = await raw(`GET ${url}`, HOST);
      expect(answer.body, url).not.toContain('a secret');
      expect([302, 400, 403, 404], url).toContain(answer.status);
    }
  });
});
