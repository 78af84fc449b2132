import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { spawn as spawnPty } from '@lydell/node-pty';
import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { startLosingProxy } from '@tonerow/test-support/losing-proxy.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { BIN, openTerminal } from '@tonerow/test-support/terminal.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let proxy: Awaited<ReturnType<typeof startLosingProxy>>;
let terminal: Awaited<ReturnType<typeof openTerminal>>;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  await makeProduct(server, ada.token, { name: 'Prism Delay' });
  proxy = await startLosingProxy(() => server.url);
  terminal = await openTerminal(() => ({ TONEROW_URL: proxy.url, TONEROW_TOKEN: ada.token }));
});
afterEach(() => proxy.lose(null));
afterAll(async () => {
  proxy.close();
  await terminal.close();
});

const GENERATE = /^POST \/api\/serials\/generate/;
const generate = (...more: string[]) => ['serials', 'generate', '--product', 'Prism Delay', '--quantity', '5', ...more];
const tonerow = (...line: string[]) => terminal.tonerow(...line);
const count = async (what: string, list = (body: never): unknown[] => body) =>
  list((await call(server, 'GET', what, { token: ada.token })).body as never).length;
const batches = () => count('/api/batches', (body: { rows: unknown[] }) => body.rows);
const unanswered = () => path.join(terminal.home, '.local/state/tonerow/unanswered');

describe('a batch whose answer was lost', () => {
  it('is named by its key, is not made again by the same command, and comes with --resume', async () => {
    const before = await batches();
    proxy.lose(GENERATE);
    const lost = await tonerow(...generate());
    expect([lost.code, lost.out]).toEqual([1, '']);
    const key = /Idempotency key: ([0-9a-f-]{36})/.exec(lost.err)?.[1];
    expect(lost.err).toContain('with --resume to get its response');
    expect(await batches()).toBe(before + 1);

    proxy.lose(null);
    const again = await tonerow(...generate('--json'));
    expect([again.code, again.out, JSON.parse(again.err)]).toEqual([
      1,
      '',
      { code: 'answer_lost', message: expect.stringMatching(/1 min ago .* --resume .*--no-resume/s) },
    ]);
    expect(await batches()).toBe(before + 1);

    const resumed = await tonerow(...generate('--resume', '--out', terminal.file('resumed.csv')));
    expect([resumed.code, resumed.err]).toEqual([0, expect.stringContaining('5 serials are in')]);
    expect(await batches()).toBe(before + 1);
    const codes = (await readFile(terminal.file('resumed.csv'), 'utf8')).trim().split('\r\n').slice(1);
    const explicit = await tonerow(...generate('--idempotency-key', key as string));
    expect(explicit.out.trim().split('\n')).toEqual(codes.map((line) => line.split(',')[0]));

    expect((await tonerow(...generate())).code).toBe(0);
    expect(await batches()).toBe(before + 2);
    expect(await readdir(unanswered())).toEqual([]);
  });

  it('is left alone with --no-resume, which makes another', async () => {
    const before = await batches();
    proxy.lose(GENERATE);
    await tonerow(...generate());
    const [name] = await readdir(unanswered());
    expect((await stat(path.join(unanswered(), name as string))).mode & 0o777).toBe(0o600);
    proxy.lose(null);
    expect((await tonerow(...generate('--no-resume'))).code).toBe(0);
    expect(await batches()).toBe(before + 2);
  });

  it('is offered on a terminal', async () => {
    const before = await batches();
    proxy.lose(GENERATE);
    await tonerow(...generate());
    proxy.lose(null);
    const pty = spawnPty(process.execPath, [BIN, ...generate()], {
      env: terminal.environment(),
      cols: 200,
      rows: 30,
      cwd: terminal.home,
    });
    let screen = '';
    pty.onData((text) => {
      screen += text;
    });
    const ended = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
    await expect.poll(() => screen, { timeout: 30_000 }).toContain('instead of running it again? [Y/n]');
    pty.write('\r');
    expect(await ended).toBe(0);
    expect(screen).toContain('5 serials generated.');
    expect(await batches()).toBe(before + 1);
  });

  it('is known also when the client was killed while it waited', async () => {
    const before = await batches();
    const arrived = proxy.hold(GENERATE);
    const { child, ended } = terminal.start(generate());
    await arrived;
    child.kill('SIGKILL');
    await ended;
    proxy.lose(null);
    expect((await tonerow(...generate())).err).toContain('its response was lost');
    expect((await tonerow(...generate('--resume'))).code).toBe(0);
    expect(await batches()).toBe(before + 1);
  });

  it('concerns the same command at the same server by the same profile alone, for a day', async () => {
    proxy.lose(GENERATE);
    await tonerow(...generate());
    proxy.lose(null);
    for (const line of [generate('--tag', 'other'), generate('--url', server.url), generate('--profile', 'other')])
      expect((await tonerow(...line)).code, line.join(' ')).toBe(0);
    const [name] = await readdir(unanswered());
    const file = path.join(unanswered(), name as string);
    const record = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...record, at: record.at - 86_400_001 }));
    await utimes(file, 0, 0);
    expect((await tonerow(...generate())).code).toBe(0);
    expect(await readdir(unanswered())).toEqual([]);
  });

  it('is not spoken of when it was refused', async () => {
    const { code, err } = await tonerow(...generate('--quantity', '0'));
    expect([code, err.includes('Idempotency key')]).toEqual([1, false]);
    expect(await readdir(unanswered())).toEqual([]);
  });
});

it.each([
  ['products', ['products', 'create', 'Echo'], /^POST \/api\/products/, () => count('/api/products')],
  [
    'plugin keys',
    ['keys', 'create', 'One'],
    /^POST \/api\/developer\/plugin-keys/,
    () => count('/api/developer/plugin-keys', (body: { keys: unknown[] }) => body.keys),
  ],
  [
    'access tokens',
    ['tokens', 'create', 'ci', '--scope', 'serials:read'],
    /^POST \/api\/account\/tokens/,
    () => count('/api/account/tokens'),
  ],
  [
    'trusts',
    ['trust', 'add', 'ci', '--github', '1', '--branch', 'main', '--scope', 'serials:read'],
    /^POST \/api\/developer\/trusts/,
    () => count('/api/developer/trusts'),
  ],
])('%s are made once too, and what they answer is shown', async (_name, line, write, counted) => {
  const before = await counted();
  proxy.lose(write);
  expect((await tonerow(...line)).err).toContain('Idempotency key: ');
  proxy.lose(null);
  expect((await tonerow(...line)).err).toContain('--resume');
  const made = await tonerow(...line, '--resume');
  expect([made.code, made.out.length > 10]).toEqual([0, true]);
  expect(await counted()).toBe(before + 1);
});

it('a refund is recorded once', async () => {
  const { id } = await makeProduct(server, ada.token, { name: 'Refunded', price: 20 });
  const [serial] = await makeSerials(server, ada.token, id, { quantity: 1 });
  await redeem(server, serial?.code as string, 'nina@example.com', ada.id);
  const line = ['refund', serial?.code as string, '--amount', '5', '--reason', 'Late update'];
  proxy.lose(/^POST \/api\/serials\/[^/]+\/refund/);
  expect((await tonerow(...line)).err).toContain('Idempotency key: ');
  proxy.lose(null);
  expect((await tonerow(...line)).err).toContain('--resume');
  const resumed = await tonerow(...line, '--resume', '--json');
  expect([resumed.code, JSON.parse(resumed.out)]).toEqual([
    0,
    expect.objectContaining({ refunded: 5, refundable: 15 }),
  ]);
});
