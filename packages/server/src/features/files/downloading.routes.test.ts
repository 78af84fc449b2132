import { createHash, randomBytes } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import type http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import {
  download,
  type FileServer,
  fileCalls,
  MIB,
  raw,
  sha,
  startFileServer,
  until,
} from '@tonerow/test-support/file-calls.ts';
import { call, makeProduct, type Person } from '@tonerow/test-support/http.ts';
import type { TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE } from '#platform/clock.ts';

let files: FileServer;
const { linkOf, objects, remove, upload } = fileCalls(() => files);
let server: TestServer;
let ada: Person;
let clock: FileServer['clock'];
beforeAll(async () => {
  files = await startFileServer();
  ({ server, ada, clock } = files);
});
afterAll(() => files.stop());

describe('downloading', () => {
  const content = randomBytes(3 * MIB);
  let id: string;
  let link: string;
  beforeAll(async () => {
    id = (await upload(content)).id;
    link = await linkOf(id);
  });

  it('gives ranges', async () => {
    const answer = await download(link, { range: `bytes=1000-` });
    expect([answer.status, answer.headers.get('content-range'), answer.headers.get('content-length')]).toEqual([
      206,
      `bytes 1000-${3 * MIB - 1}/${3 * MIB}`,
      String(3 * MIB - 1000),
    ]);
    expect(sha(await answer.bytes())).toBe(sha(content.subarray(1000)));
    const tail = await download(link, { range: 'bytes=-10', 'if-range': `"${id}"` });
    expect(Buffer.from(await tail.bytes())).toEqual(content.subarray(-10));
    const other = await download(link, { range: 'bytes=-10', 'if-range': '"another"' });
    expect([other.status, (await other.bytes()).length]).toEqual([200, 3 * MIB]);
    const beyond = await download(link, { range: `bytes=${3 * MIB}-` });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${3 * MIB}`]);
  });

  it('answers HEAD, and 304 to who has it', async () => {
    const head = await download(link, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([
      200,
      String(3 * MIB),
      `"${id}"`,
    ]);
    expect((await download(link, { 'if-none-match': `"${id}"` })).status).toBe(304);
  });

  it('refuses a link that is not ours or too old', async () => {
    const url = new URL(link);
    const [, , , token = '', name] = url.pathname.split('/');
    for (const bad of [`${token}x`, 'rubbish', id]) {
      const answer = await download(`${url.origin}/media/files/${bad}/${name}`);
      expect([answer.status, (await answer.json()).code]).toEqual([401, 'download_token_invalid']);
    }
    clock.advance(14 * MINUTE);
    expect((await download(link, {}, 'HEAD')).status).toBe(200);
    clock.advance(MINUTE);
    expect((await download(link, {}, 'HEAD')).status).toBe(401);
    expect(server.logged()).not.toContain(token);
  });

  it('closes the file when the reader goes away', async () => {
    const big = await upload(randomBytes(12 * MIB));
    const open = async () => {
      const fds = await readdir('/proc/self/fd');
      const targets = await Promise.all(fds.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
      return targets.some((target) => target.includes(`${big.id}.bin`));
    };
    const request = raw(await linkOf(big.id), { method: 'GET' });
    const answered = new Promise<http.IncomingMessage>((resolve) => request.on('response', resolve));
    request.end();
    const response = await answered;
    response.on('error', () => undefined);
    await until(open);
    response.destroy();
    await until(async () => !(await open()));
  });

  it('lets a running download finish when its product and its file are deleted; later ones get 404', async () => {
    const whole = randomBytes(20 * MIB);
    const file = await upload(whole);
    const product = await makeProduct(server, ada.token, { file_urls: [{ name: '', url: file.url }] });
    const address = await linkOf(file.id);
    const request = raw(address, { method: 'GET' });
    const answered = new Promise<http.IncomingMessage>((resolve) => request.on('response', resolve));
    request.end();
    const response = await answered;
    const slowly = response[Symbol.asyncIterator]();
    const hash = createHash('sha256').update((await slowly.next()).value);

    expect((await call(server, 'DELETE', `/api/products/${product.id}`, { token: ada.token })).status).toBe(200);
    expect((await remove(file.id)).status).toBe(200);
    expect((await objects()).filter((name) => name.startsWith(file.id))).toEqual([]);
    const late = await download(address);
    expect([late.status, (await late.json()).code]).toEqual([404, 'not_found']);
    for (let step = await slowly.next(); !step.done; step = await slowly.next()) {
      hash.update(step.value);
      await pause(1);
    }
    expect(hash.digest('hex')).toBe(sha(whole));
  });
});
