import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:tls';
import { certificate, certificateKey, expiredCertificate } from '@tonerow/test-support/certificates.ts';
import { trustTestAuthority } from '@tonerow/test-support/egress-peers.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, TestClock } from '#platform/clock.ts';
import { readConfig } from '../config.ts';
import { certificateOf } from './certificates.ts';
import { judgeClock, judgeDatabase } from './database-checks.ts';
import * as outside from './outside-checks.ts';
import { judgeJobs, judgeWebhooks } from './work-checks.ts';

trustTestAuthority();

const clock = new TestClock('2027-01-01T00:00:00Z');
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const states = (found: { state: string }[]) => found.map(({ state }) => state);

describe('the database', () => {
  const good = {
    version: 180_004,
    words: '18.4',
    encoding: 'UTF8',
    connections: 200,
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
  };

  it.each([
    ['is fine', {}, ['ok']],
    ['is too old', { version: 140_010, words: '14.10' }, ['failed']],
    ['has another encoding', { encoding: 'LATIN1' }, ['failed']],
    ['loses data in a crash', { fsync: 'off', full_page_writes: 'off' }, ['failed', 'failed']],
    ['forgets what it confirmed', { synchronous_commit: 'off' }, ['warning']],
    ['takes too few connections', { connections: 37 }, ['warning']],
    ['takes just enough', { connections: 38 }, ['ok']],
  ])('that %s', (_, facts, expected) => {
    const found = judgeDatabase({ ...good, ...facts }, 35);
    expect(states(found)).toEqual(expected);
    for (const { state, todo } of found) expect(todo === null).toBe(state === 'ok');
  });

  it.each([
    [0, 'ok'],
    [4, 'ok'],
    [-6, 'warning'],
    [61, 'failed'],
  ])('whose clock is %i seconds ahead', (seconds, expected) => {
    const now = clock.now().getTime();
    expect(judgeClock(now + seconds * 1000, { before: now, after: now }, 'the database').state).toBe(expected);
  });
});

describe('what waits', () => {
  it('is fine for a while, and a warning with its queue after that', () => {
    const waiting = [
      { queue: 'mail', jobs: 3, age: 20 },
      { queue: 'close-months', jobs: 1, age: 900 },
    ];
    expect(judgeJobs(waiting.slice(0, 1), { age: 100 })).toMatchObject([{ state: 'ok' }]);
    expect(judgeJobs(waiting, { age: 1800 })).toMatchObject([
      { state: 'warning', found: expect.stringContaining('close-months wait, the oldest for 15 minutes') },
      { state: 'warning', found: expect.stringContaining('30 minutes old') },
    ]);
  });

  it('to get out is a warning; receivers that fail are their developers’ business', () => {
    expect(judgeWebhooks({ overdue: 0, failing: 2, off: 1 })).toMatchObject([{ state: 'ok' }]);
    expect(judgeWebhooks({ overdue: 600, failing: 0, off: 0 })).toMatchObject([{ state: 'warning' }]);
  });
});

describe('settings', () => {
  const of = (env: Record<string, string>) => outside.settings(readConfig(env));

  it.each([
    ['are those of a first try', {}, ['ok']],
    ['have one that nobody reads', { TONEROW_POOLSIZE: '3' }, ['warning']],
    ['have no HTTPS', { TONEROW_PUBLIC_URL: 'http://licenses.example.com' }, ['warning']],
    ['trust no proxy behind HTTPS', { TONEROW_PUBLIC_URL: 'https://licenses.example.com' }, ['warning']],
    [
      'are those of a server for others',
      { TONEROW_PUBLIC_URL: 'https://licenses.example.com', TONEROW_TRUST_PROXY: '10.0.0.0/8' },
      ['ok'],
    ],
    ['let everybody guess', { TONEROW_RATE_LIMITS: 'off' }, ['warning']],
  ])('that %s', (_, env, expected) => expect(states(of(env))).toEqual(expected));
});

describe('the disk', () => {
  const MB = 1024 * 1024;
  const space = (free: number, files: number, ffree: number) =>
    (async () => ({ bavail: free, bsize: 1, files, ffree })) as unknown as Parameters<typeof outside.disk>[1];

  it.each([
    ['has room', 10_000 * MB, 1000, 900, 'ok'],
    ['is nearly full', 500 * MB, 1000, 900, 'warning'],
    ['is full', 20 * MB, 1000, 900, 'failed'],
    ['has no room for files', 10_000 * MB, 1000, 3, 'warning'],
    ['does not count files', 10_000 * MB, 0, 0, 'ok'],
  ])('that %s', async (_, free, files, ffree, expected) => {
    expect((await outside.disk('/data', space(free, files, ffree))).state).toBe(expected);
  });
});

describe('a certificate', () => {
  async function served(cert: string): Promise<number> {
    const server = createTlsServer({ cert, key: certificateKey });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    return (server.address() as { port: number }).port;
  }
  const ask = (host: string, port: number, at = clock) =>
    certificateOf({ host, port, address: '127.0.0.1', clock: at });

  it('that is valid for the host is fine', async () => {
    const port = await served(certificate);
    expect(await ask('hooks.example.com', port)).toMatchObject({ state: 'ok' });
  });

  it('of another host, one that ended and one that is about to end are findings', async () => {
    const port = await served(certificate);
    expect(await ask('licenses.example.org', port)).toMatchObject({
      state: 'failed',
      found: expect.stringContaining('is not valid'),
    });
    expect(await ask('hooks.example.com', await served(expiredCertificate))).toMatchObject({
      state: 'failed',
      found: expect.stringContaining('has expired'),
    });
    const nearTheEnd = new TestClock(new Date(Date.parse('2126-10-29T21:04:53Z') - 3 * DAY - HOUR));
    expect(await ask('hooks.example.com', port, nearTheEnd)).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('ends in 3 days'),
    });
  });

  it('that nobody has is one, too', async () => {
    const port = await served(certificate);
    for (const close of closing.splice(0)) close();
    expect(await ask('hooks.example.com', port)).toMatchObject({ state: 'failed' });
  });
});

describe('developers’ own domains', () => {
  const dns = {
    cname: async (host: string) => {
      if (host.startsWith('silent')) throw new Error('timeout');
      if (host.startsWith('elsewhere')) return [];
      return host.startsWith('moved') ? ['elsewhere.example.com'] : ['target.example.com'];
    },
  };
  const of = (hosts: string[]) =>
    outside.domains({ hosts, total: hosts.length, target: 'target.example.com', dns, clock, secure: false });

  it('that lead here are one finding; each other one is its own', async () => {
    expect(await of([])).toMatchObject([{ state: 'skipped' }]);
    expect(await of(['a.example.org', 'b.example.org'])).toMatchObject([{ state: 'ok' }]);
    const found = await of(['a.example.org', 'moved.example.org', 'silent.example.org']);
    expect(found.map(({ state }) => state)).toEqual(['warning', 'warning']);
    expect(found.map(({ found: words }) => words).join()).toContain('moved.example.org is no longer an alias');
  });
});

describe('a newer release', () => {
  async function feed(answer: unknown, status = 200): Promise<string> {
    const server = createServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    return `http://127.0.0.1:${(server.address() as { port: number }).port}/latest`;
  }
  const ask = async (answer: unknown, status?: number) =>
    (await outside.update(readConfig({ TONEROW_RELEASE_FEED: await feed(answer, status) }))).state;

  it('is a warning, as package registries and forges announce it', async () => {
    expect(await ask({ name: 'tonerow', version: '99.0.0' })).toBe('warning');
    expect(await ask({ tag_name: 'v99.0.0' })).toBe('warning');
    expect(await ask({ version: '0.0.1' })).toBe('ok');
    expect(await ask({ message: 'not found' }, 404)).toBe('warning');
    expect(await ask({ version: ['99.0.0'] })).toBe('warning');
    expect((await outside.update(readConfig({}))).state).toBe('skipped');
  });
});

it('a server that is not ready, or warns, is a finding with its reason', () => {
  expect(outside.judgeReadiness(200, { status: 'ready' }, 'x')).toMatchObject([{ state: 'ok' }]);
  expect(outside.judgeReadiness(200, { status: 'ready', warnings: ['disk_low'] }, 'x')).toMatchObject([
    { state: 'warning', found: expect.stringContaining('disk_low') },
  ]);
  expect(outside.judgeReadiness(503, { status: 'not ready', reason: 'shutting down' }, 'x')).toMatchObject([
    { state: 'failed', found: expect.stringContaining('shutting down') },
  ]);
});
