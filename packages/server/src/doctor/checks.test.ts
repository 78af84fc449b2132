import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { certificate, certificateKey, expiredCertificate } from '@tonerow/test-support/certificates.ts';
import { trustTestAuthority } from '@tonerow/test-support/egress-peers.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, TestClock } from '#platform/clock.ts';
import { readConfig } from '../config.ts';
import { backups, judgeBackup } from './backup-checks.ts';
import { certificateOf } from './certificates.ts';
import { clockBeside, clocksBeside, judgeClock } from './clock-checks.ts';
import { judgeDatabase } from './database-checks.ts';
import { runDoctor } from './index.ts';
import * as outside from './outside-checks.ts';
import { judgeJobs, judgeMoney, judgeWebhooks } from './work-checks.ts';

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
    expect(judgeJobs(waiting.slice(0, 1), { age: 100 }, 20)).toMatchObject([{ state: 'ok' }]);
    expect(judgeJobs(waiting, { age: 1800 }, 20)).toMatchObject([
      { state: 'warning', found: '1 job of close-months waits, the oldest for 15 minutes.' },
      { state: 'warning', found: expect.stringContaining('30 minutes old') },
    ]);
  });

  it('is worked on by nobody: that is found, although nothing may wait', () => {
    expect(judgeJobs([], { age: 0 }, 3600)).toMatchObject([
      { state: 'failed', found: expect.stringContaining('No worker has looked for jobs for 60 minutes') },
    ]);
    expect(judgeJobs([], { age: 0 }, Number.POSITIVE_INFINITY)).toMatchObject([
      { state: 'failed', found: expect.stringContaining('yet') },
    ]);
  });

  it('to get out is a warning; receivers that fail are their developers’ business', () => {
    expect(judgeWebhooks({ overdue: 0, failing: 2, off: 1 })).toMatchObject([
      { state: 'ok', found: 'Events get out. 2 webhooks fail, and 1 was switched off for it.' },
    ]);
    expect(judgeWebhooks({ overdue: 600, failing: 0, off: 0 })).toMatchObject([{ state: 'warning' }]);
  });
});

describe('money', () => {
  const health = { unclosed: 0, statementDifferences: 0, billingDifferences: 0, overdue: 0 };
  const of = (facts: Partial<typeof health>, at = '2027-01-01T04:00:00Z') =>
    states(judgeMoney({ ...health, ...facts }, new Date(at)));

  it('that adds up is fine; what differs, and what is late, is a finding', () => {
    expect(of({})).toEqual(['ok']);
    expect(of({ unclosed: 3 })).toEqual(['warning']);
    // the close of the first hour is under way
    expect(of({ unclosed: 3 }, '2027-01-01T00:20:00Z')).toEqual(['ok']);
    expect(of({ statementDifferences: 1, billingDifferences: 2, overdue: 9000 })).toEqual([
      'failed',
      'warning',
      'warning',
    ]);
    expect(of({ overdue: 3600 })).toEqual(['ok']);
  });
});

describe('the clock', () => {
  async function shows(date: string | null): Promise<string> {
    const server = createServer((_request, response) => {
      response.sendDate = false;
      response.writeHead(403, date ? { date } : {}).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  }
  const of = async (origin: string) => (await clockBeside({ origin, who: 'the release feed' }, clock)).state;

  it('is compared with those of machines that show theirs', async () => {
    expect(await of(await shows('Fri, 01 Jan 2027 00:00:00 GMT'))).toBe('ok');
    expect(await of(await shows('Fri, 01 Jan 2027 00:00:30 GMT'))).toBe('warning');
    expect(await of(await shows('Thu, 31 Dec 2026 23:00:00 GMT'))).toBe('failed');
    expect(await of(await shows(null))).toBe('skipped');
    const gone = await shows(null);
    for (const close of closing.splice(0)) close();
    expect(await of(gone)).toBe('skipped');
  });

  it('of each machine is asked for once', () => {
    const s3 = {
      S3_ENDPOINT: 'https://s3.example.com',
      S3_BUCKET: 'a',
      S3_ACCESS_KEY_ID: 'a',
      S3_SECRET_ACCESS_KEY: 'a',
    };
    const of = (env: Record<string, string>) => clocksBeside(readConfig(env)).map(({ origin }) => origin);
    expect(of({})).toEqual([]);
    expect(of({ ...s3, TONEROW_BACKUP_TO: 's3://backups' })).toEqual(['https://s3.example.com']);
    expect(
      of({
        ...s3,
        TONEROW_BACKUP_TO: '/backups,s3://backups',
        TONEROW_BACKUP_S3_ENDPOINT: 'https://elsewhere.example.com/',
        TONEROW_RELEASE_FEED: 'https://registry.example.com/tonerow/latest',
      }),
    ).toEqual(['https://s3.example.com', 'https://elsewhere.example.com', 'https://registry.example.com']);
  });
});

describe('a place of backups', () => {
  const of = (facts: Partial<Parameters<typeof judgeBackup>[0]>) =>
    states(judgeBackup({ where: '/backups', seconds: 3600, size: 5000, ...facts }));

  it('is fine with a young one in it', () => {
    expect(of({})).toEqual(['ok']);
    expect(of({ seconds: 40 * 3600 })).toEqual(['failed']);
    expect(of({ seconds: Number.POSITIVE_INFINITY })).toEqual(['failed']);
    expect(of({ size: 0 })).toEqual(['failed']);
    expect(of({ seconds: null, reason: 'denied' })).toEqual(['failed']);
    expect(of({ ahead: 'tonerow-2028-01-01T03-00-00Z.backup' })).toEqual(['warning', 'ok']);
  });

  it('has room for the next one', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-place-'));
    closing.push(() => rmSync(folder, { recursive: true }));
    await writeFile(path.join(folder, 'tonerow-2026-12-31T23-00-00Z.backup'), 'x'.repeat(1000));
    const config = readConfig({ TONEROW_BACKUP_TO: folder });
    const found = async (free: number) => states(await backups(config, clock, async () => free));
    expect(await found(10_000)).toEqual(['ok', 'warning']);
    expect(await found(1100)).toEqual(['ok', 'warning', 'warning']);
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

  it('that are refused are each named, with why', async () => {
    let text = '';
    const write = (more: string) => {
      text += more;
    };
    const env = { TONEROW_ROLE: 'x', TONEROW_WORKERS: 'many' };
    expect(await runDoctor({ json: true, env, write })).toBe(1);
    expect(JSON.parse(text)).toMatchObject({ failed: 2, findings: [{ check: 'settings' }, { check: 'settings' }] });
    expect(text).toContain('TONEROW_ROLE: “x” is none of its values. Write api or worker.');
    expect(text).toContain('TONEROW_WORKERS');
  });
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

it('a proxy for webhooks that does not answer is a finding', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  expect((await outside.egressProxy(proxy)).state).toBe('ok');
  await new Promise((resolve) => server.close(resolve));
  expect((await outside.egressProxy(proxy)).state).toBe('failed');
});

it('something else at the port of the server is called that', async () => {
  const server = createServer((_request, response) => response.end('<h1>It works</h1>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const { port } = server.address() as { port: number };
  expect(await outside.server(readConfig({ PORT: String(port) }))).toMatchObject([
    { state: 'failed', found: expect.stringContaining('not Tonerow'), todo: 'Check PORT and TONEROW_HOST.' },
  ]);
});

it('a server that is not ready, or warns, is a finding with its reason', () => {
  expect(outside.judgeReadiness(200, { status: 'ready' }, 'x')).toMatchObject([{ state: 'ok' }]);
  expect(outside.judgeReadiness(200, { status: 'ready', warnings: ['disk_low'] }, 'x')).toMatchObject([
    { state: 'warning', found: expect.stringContaining('disk_low') },
  ]);
  const [hold] = outside.judgeReadiness(200, { status: 'ready', warnings: ['collection_on_hold'] }, 'x');
  expect(hold?.todo).toContain('tonerow-server reconcile');
  expect(outside.judgeReadiness(503, { status: 'not ready', reason: 'shutting down' }, 'x')).toMatchObject([
    { state: 'failed', found: expect.stringContaining('shutting down') },
  ]);
});
