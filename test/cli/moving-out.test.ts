import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
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

it('is refused with another password, and without a file for the archive', async () => {
  const passphrase = terminal.file('other.txt');
  await writeFile(passphrase, 'a passphrase of some length\n');
  const line = ['export', 'everything', '--passphrase-file', passphrase, '--password-stdin'];
  const wrong = await terminal.piped('another password\n', ...line, '--out', terminal.file('x.zip'));
  expect(wrong.code).not.toBe(0);
  expect((await terminal.tonerow(...line)).err).toContain('--out');
});
