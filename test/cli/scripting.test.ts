import { lstat, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeProduct, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { openTerminal } from '@tonerow/test-support/terminal.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let terminal: Awaited<ReturnType<typeof openTerminal>>;
let ada: Person;
const settings: Record<string, string> = {};
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  terminal = await openTerminal(() => ({ TONEROW_URL: server.url, TONEROW_TOKEN: ada.token, ...settings }));
  await makeProduct(server, ada.token, { name: 'Prism Delay', price: 99 });
});
afterAll(async () => {
  await terminal.close();
});

const tonerow = (...args: string[]) => terminal.tonerow(...args);
const generate = (...args: string[]) => tonerow('serials', 'generate', '--product', 'Prism Delay', ...args);
const batches = async () => (await terminal.json('serials', 'batches')).length as number;

describe('a script', () => {
  it('learns of a file that cannot be written before there are serials', async () => {
    const before = await batches();
    for (const out of ['/nowhere/x.csv', terminal.home]) {
      const { code, err } = await generate('--quantity', '2', '--out', out);
      expect([code, err], out).toEqual([1, expect.stringMatching(/cannot be written \(E\w+\)/)]);
    }
    expect(await batches()).toBe(before);
  });

  it('gets the batch’s id beside the file', async () => {
    const out = terminal.file('batch.csv');
    const made = await terminal.json(
      'serials',
      'generate',
      '--product',
      'Prism Delay',
      '--quantity',
      '3',
      '--out',
      out,
    );
    expect(made).toEqual({ batch_id: expect.any(String), count: 3, file: out });
    expect((await readFile(out, 'utf8')).trim().split('\r\n')).toHaveLength(4);
    expect((await terminal.json('serials', 'batch', made.batch_id)).quantity).toBe(3);
  });

  it('can ask what a batch would be, however large, and gets nothing made', async () => {
    const before = await batches();
    const { code, out } = await generate('--quantity', '900000', '--new-reseller', 'Nobody', '--dry-run');
    expect([code, out]).toEqual([0, '900000 serials would be generated.\n']);
    expect(await terminal.json('serials', 'generate', '--product', 'Prism Delay', '--dry-run')).toEqual({
      batch_id: null,
      count: 10,
      serials: [],
      dry_run: true,
    });
    const refused = await generate('--expires', '2020-01-01', '--dry-run');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('The expiry date must be in the future.')]);
    expect([await batches(), await terminal.json('resellers', 'list')]).toEqual([before, []]);
  });

  it('never gets CSV where it asked for JSON', async () => {
    const before = await batches();
    const { code, out, err } = await generate('--quantity', '10001', '--json');
    expect([code, out, JSON.parse(err)]).toEqual([64, '', { code: 'usage', message: expect.any(String) }]);
    expect(await batches()).toBe(before);
  });

  it('gets JSON also for what was written wrongly, and 64 where a command is missing', async () => {
    const wrong = await tonerow('serials', 'list', '--nonsense', '--json');
    expect([wrong.code, JSON.parse(wrong.err)]).toEqual([
      64,
      {
        code: 'usage',
        message: "unknown option '--nonsense'",
        hint: expect.stringContaining('Usage: tonerow serials list'),
      },
    ]);
    expect((await tonerow('serials')).code).toBe(64);
  });

  it('learns of invalid values, and of empty ones', async () => {
    for (const line of [
      ['products', 'create', 'Odd', '--price', 'Infinity'],
      ['products', 'create', 'Odd', '--price', '0x10'],
      ['products', 'create', 'Odd', '--trial-days', ''],
      ['products', 'create', 'Odd', '--on-loss', 'fade'],
      ['products', 'list', '--limit', '0'],
      ['keys', 'list', '--stale', '1h'],
      ['license', 'proxy', 'forged', '--port', 'abc'],
      ['analytics', '--range', '1y'],
      ['products', 'update', 'Prism Delay'],
    ]) {
      const { code, err } = await tonerow(...line);
      expect([code, err.trim().split('\n')], line.join(' ')).toEqual([64, [expect.any(String)]]);
    }
    expect(await terminal.json('products', 'list')).toHaveLength(1);
  });

  it('finds a code and an address among newer ones that begin or end like it', async () => {
    const rows = Array.from({ length: 120 }, (_, i) => `RUN-${i + 1},Prism Delay,${i + 1}-ada@example.com`);
    await writeFile(
      terminal.file('runs.csv'),
      ['Serial,Product,Email', 'FIRST-1,Prism Delay,ada@example.com', ...rows, ''].join('\n'),
    );
    const imported = await tonerow('serials', 'import', 'redeemed', terminal.file('runs.csv'));
    expect([imported.code, imported.err]).toEqual([0, expect.any(String)]);
    expect((await terminal.json('serials', 'get', 'run-1')).code).toBe('RUN-1');
    expect((await terminal.json('customers', 'get', 'ada@example.com')).email).toBe('ada@example.com');
  });

  it('gets no empty file for a batch that is not there', async () => {
    const { code, out } = await tonerow('serials', 'batch', crypto.randomUUID(), '--out', '-');
    expect([code, out]).toEqual([1, '']);
  });

  it('writes into a pipe and through a link, and puts no file in their place', async () => {
    const pipe = terminal.file('pipe');
    await execa('mkfifo', [pipe]);
    const [read] = await Promise.all([
      readFile(pipe, 'utf8'),
      tonerow('serials', 'export', 'available', '--out', pipe),
    ]);
    expect(read).toMatch(/^Serial,Product/);
    expect((await lstat(pipe)).isFIFO()).toBe(true);
    await writeFile(terminal.file('real.csv'), '');
    await symlink('real.csv', terminal.file('link.csv'));
    expect((await tonerow('serials', 'export', 'available', '--force', '--out', terminal.file('link.csv'))).code).toBe(
      0,
    );
    expect((await lstat(terminal.file('link.csv'))).isSymbolicLink()).toBe(true);
    expect(await readFile(terminal.file('real.csv'), 'utf8')).toBe(read);
  });

  it('never reads its token in a message', async () => {
    settings.TONEROW_TOKEN = 'tnr_pat_secret\nmore';
    const { code, err } = await tonerow('products', 'list');
    settings.TONEROW_TOKEN = `${ada.token}\n`;
    const trimmed = await tonerow('products', 'list');
    delete settings.TONEROW_TOKEN;
    expect([code, err.includes('tnr_pat_secret'), trimmed.code]).toEqual([4, false, 0]);
  });

  it('accepts the product’s name where a plugin sends its id', async () => {
    settings.TONEROW_PLUGIN_KEY = (await tonerow('keys', 'create', '--test')).out.trim();
    const line = ['license', 'activate', 'TEST-ACTV-AAAA-AAAA', '--machine', 'm'];
    expect((await terminal.json(...line, '--product', 'prism delay')).status).toBe('active');
    expect((await tonerow(...line, '--product', 'Nothing')).err).toContain('You have no product named "Nothing".');
    settings.TONEROW_PLUGIN_KEY = 'tnr_plg_unknown';
    expect((await tonerow('license', 'doctor')).err).toContain('unknown or inactive');
    delete settings.TONEROW_PLUGIN_KEY;
  });
});

describe('a server in trouble', () => {
  let broken: Server;
  beforeAll(async () => {
    broken = createServer((request, response) => {
      if (request.url?.startsWith('/api/products')) {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"x","name":"Prism Delay"}');
        return;
      }
      if (request.url?.startsWith('/api/plans')) {
        response.writeHead(429, { 'content-type': 'application/problem+json', 'retry-after': '900' });
        response.end('{"code":"rate_limited","message":"Too many."}');
        return;
      }
      response
        .writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'text/csv' })
        .write('Serial\r\nAAAA\r\n', () => request.socket.destroySoon());
    });
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
    settings.TONEROW_URL = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    delete settings.TONEROW_URL;
    broken.closeAllConnections();
    broken.close();
  });

  it('that wants a quarter of an hour is not waited for', async () => {
    const { code, err } = await tonerow('plans');
    expect([code, err]).toEqual([5, expect.stringContaining('Try again in 900 s.')]);
  });

  it('that breaks off leaves no file, and is reported', async () => {
    const out = terminal.file('half.csv');
    const { code, err } = await tonerow('serials', 'list', '--out', out);
    expect([code, err]).toEqual([1, expect.stringContaining('was cut off')]);
    await expect(readFile(out)).rejects.toThrow('ENOENT');
    const line = ['--product', crypto.randomUUID(), '--idempotency-key', 'release-7', '--out', out];
    expect((await tonerow('serials', 'generate', ...line)).err).toContain(
      'with --idempotency-key release-7 to get its response',
    );
  });
});

describe('a list of any length', () => {
  const row = (n: number) => ({ id: `${n}`, code: `CODE-${n}`, product: 'Prism Delay', revoked: false });
  const pages: (() => void)[] = [];
  let asked = 0;
  let endless: Server;
  beforeAll(async () => {
    endless = createServer((_request, response) => {
      asked += 1;
      const rows = Array.from({ length: 100 }, (_, at) => row((asked - 1) * 100 + at));
      const body = JSON.stringify({ rows, total: 1_000_000, next_cursor: `after-${asked}` });
      const send = () => response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      if (asked === 1) send();
      else pages.push(send);
    });
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
    settings.TONEROW_URL = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    delete settings.TONEROW_URL;
    endless.closeAllConnections();
    endless.close();
  });

  it.each([
    ['as JSON', ['--json']],
    ['as a table', []],
  ])('is printed while it is read, and stops quietly when its reader goes: %s', async (_name, more) => {
    asked = 0;
    pages.length = 0;
    const { child, ended } = terminal.start(['serials', 'list', '--all', ...more]);
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    // the second page is held back until the first has arrived
    await expect.poll(() => pages.length, { timeout: 30_000 }).toBe(1);
    await expect.poll(() => out, { timeout: 10_000 }).toContain('CODE-99');
    child.stdout.destroy();
    const release = setInterval(() => {
      for (const send of pages.splice(0)) send();
    }, 10);
    const { code, err } = await ended;
    clearInterval(release);
    expect([code, err]).toEqual([0, '']);
    expect(asked).toBeLessThan(20);
  });
});
