import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { call, makeProduct, PASSWORD, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { openTerminal } from '@tonerow/test-support/terminal.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let terminal: Awaited<ReturnType<typeof openTerminal>>;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  await makeProduct(server, ada.token, { name: 'Chorus', price: 20 });
  terminal = await openTerminal(() => ({ TONEROW_URL: server.url, TONEROW_TOKEN: ada.token }));
});
afterAll(() => terminal.close());

const urlOf = (proxy: Server) => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
const archives = async () =>
  (await call(server, 'GET', '/api/account/archives', { token: ada.token })).body.archives as unknown[];

it('writes everything into one archive, and leaves none on the server', async () => {
  const passphrase = terminal.file('passphrase.txt');
  await writeFile(passphrase, 'a passphrase of some length\n');
  const out = terminal.file('account.zip');
  const line = ['export', 'everything', '--out', out, '--passphrase-file', passphrase, '--password-stdin', '--json'];
  const done = await terminal.piped(`${PASSWORD}\n`, ...line);
  expect([done.code, done.err]).toEqual([0, expect.not.stringContaining('passphrase of')]);
  const { sha256, rows } = JSON.parse(done.out);
  const file = await readFile(out);
  expect(createHash('sha256').update(file).digest('hex')).toBe(sha256);
  expect(file.subarray(0, 2).toString()).toBe('PK');
  expect(rows).toBeGreaterThan(1);
  expect(await archives()).toEqual([]);
  // nothing is written over
  const again = await terminal.piped(`${PASSWORD}\n`, ...line);
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('already exists')]);
  expect(await readFile(out)).toEqual(file);
});

it('goes on from where the connection broke', async () => {
  const made = await call(server, 'POST', '/api/account/archives', {
    token: ada.token,
    body: { password: PASSWORD, passphrase: 'a passphrase of some length' },
  });
  const ranges: unknown[] = [];
  // passes everything on, and breaks the file off twice
  const proxy = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const headers = Object.fromEntries(
      ['authorization', 'content-type', 'accept', 'range', 'if-range'].flatMap((name) => {
        const value = request.headers[name];
        return value === undefined ? [] : [[name, String(value)]];
      }),
    );
    const body = chunks.length > 0 ? Buffer.concat(chunks) : null;
    const answer = await fetch(server.url + request.url, {
      method: request.method ?? 'GET',
      headers,
      body,
      redirect: 'manual',
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const own = Object.fromEntries(answer.headers);
    if (own.location) own.location = own.location.replace(server.url, urlOf(proxy));
    response.writeHead(answer.status, own);
    if (!request.url?.startsWith('/media/archives/')) return response.end(bytes);
    ranges.push(request.headers.range);
    if (ranges.length > 2) return response.end(bytes);
    response.write(bytes.subarray(0, 5000), () => response.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  try {
    const out = terminal.file('resumed.zip');
    const line = ['export', 'everything', '--out', out, '--archive', made.body.id, '--url', urlOf(proxy)];
    const done = await terminal.tonerow(...line);
    expect([done.code, done.err]).toEqual([0, expect.any(String)]);
    expect(ranges).toEqual([undefined, 'bytes=5000-', 'bytes=10000-']);
    expect((await readFile(out)).subarray(0, 2).toString()).toBe('PK');
  } finally {
    proxy.close();
  }
});

it('is refused with another password, and without a file for the archive', async () => {
  const passphrase = terminal.file('other.txt');
  await writeFile(passphrase, 'a passphrase of some length\n');
  const line = ['export', 'everything', '--passphrase-file', passphrase, '--password-stdin'];
  const wrong = await terminal.piped('another password\n', ...line, '--out', terminal.file('x.zip'));
  expect(wrong.code).not.toBe(0);
  expect((await terminal.tonerow(...line)).err).toContain('--out');
});
