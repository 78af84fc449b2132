import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, call, makeProduct, type Person, signUp } from '../../../../../test/support/http.ts';
import { startServer, TEST_SECRET, type TestServer } from '../../../../../test/support/server.ts';
import { DAY, MINUTE, TestClock } from '../../platform/clock.ts';
import { createLogger } from '../../platform/log.ts';
import { systemRandom } from '../../platform/random.ts';
import { Secrets } from '../../platform/secrets.ts';
import { folderStorage } from '../../platform/storage/folder.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { Files } from './files.service.ts';

const MIB = 1024 * 1024;
const PART = 8 * MIB;
const clock = new TestClock('2026-03-10T12:00:00Z');
const random = systemRandom(clock);
let folder: string;
let storage: Storage;
let putPart: Storage['putPart'];
let server: TestServer;
let ada: Person;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tonerow-product-files-'));
  storage = folderStorage(folder, random);
  putPart = storage.putPart;
  server = await startServer({ overrides: { clock, storage: { ...storage, putPart: (...args) => putPart(...args) } } });
  ada = await signUp(server);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const sha = (body: Uint8Array) => createHash('sha256').update(body).digest('hex');
const create = (size: number, name = 'Reverb.zip', token = ada.token) =>
  call(server, 'POST', '/api/files', { token, body: { name, size } });
const get = (id: string, token = ada.token) => call(server, 'GET', `/api/files/${id}`, { token });
const remove = (id: string, token = ada.token) => call(server, 'DELETE', `/api/files/${id}`, { token });
const objects = async () => readdir(path.join(folder, 'files')).catch(() => []);

async function send(id: string, offset: number | string, part: Buffer, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/api/files/${id}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${ada.token}`,
      'content-type': 'application/octet-stream',
      'upload-offset': String(offset),
      ...headers,
    },
    body: new Uint8Array(part),
  });
  return { status: response.status, headers: response.headers, body: await response.json() } as Answer;
}

async function upload(content: Buffer, name = 'Reverb.zip') {
  let file = (await create(content.length, name)).body;
  while (!file.complete) {
    const answer = await send(file.id, file.received, content.subarray(file.received, file.received + PART));
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    file = answer.body;
  }
  return file as { id: string; url: string; name: string };
}

async function linkOf(id: string): Promise<string> {
  const answer = await call(server, 'GET', `/api/files/${id}/download`, { token: ada.token });
  expect(answer.status).toBe(302);
  return answer.headers.get('location') as string;
}

const download = (link: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(link, { method, headers });

/** A request that is written and read by hand. */
function raw(url: string, options: http.RequestOptions): http.ClientRequest {
  const request = http.request(url, { agent: false, ...options });
  request.on('error', () => undefined);
  return request;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await holds()) return;
    await pause(25);
  }
  throw new Error('it never came true');
}

describe('uploading', () => {
  it('takes 20 MB in three parts and gives the same bytes back', async () => {
    const content = randomBytes(20 * MIB);
    const begun = await create(content.length, 'Großer Hall 🎹.zip');
    expect(begun.status).toBe(201);
    expect(begun.body).toEqual({
      id: expect.any(String),
      name: 'Großer Hall 🎹.zip',
      size: 20 * MIB,
      received: 0,
      part_size: PART,
      complete: false,
      url: `/media/files/${begun.body.id}`,
      created_at: '2026-03-10T12:00:00.000Z',
    });
    const { id } = begun.body;
    for (const offset of [0, PART]) {
      const answer = await send(id, offset, content.subarray(offset, offset + PART));
      expect(answer.body).toMatchObject({ received: offset + PART, complete: false });
      expect(answer.headers.get('upload-offset')).toBe(String(offset + PART));
    }
    expect((await call(server, 'GET', `/api/files/${id}/download`, { token: ada.token })).body.code).toBe('conflict');
    const done = await send(id, 2 * PART, content.subarray(2 * PART));
    expect(done.body).toMatchObject({ received: 20 * MIB, complete: true });
    expect((await get(id)).body).toEqual(done.body);

    const answer = await download(await linkOf(id));
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(20 * MIB),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-transform',
      etag: `"${id}"`,
      'last-modified': 'Tue, 10 Mar 2026 12:00:00 GMT',
      'content-disposition': `attachment; filename="Gro_er Hall _.zip"; filename*=UTF-8''Gro%C3%9Fer%20Hall%20%F0%9F%8E%B9.zip`,
    });
    expect(sha(await answer.bytes())).toBe(sha(content));
    expect((await objects()).filter((name) => name.startsWith(id))).toEqual([`${id}.bin`]);
  });

  it('takes a file of one byte', async () => {
    const file = await upload(Buffer.from('x'));
    expect(await (await download(await linkOf(file.id))).text()).toBe('x');
  });

  it.each([
    [0, 'size'],
    [-1, 'size'],
    [1.5, 'size'],
    [5 * 1024 * MIB + 1, 'size'],
  ])('refuses a size of %s', async (size, field) => {
    const answer = await create(size);
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, field]);
  });

  it('takes exactly 5 GB', async () => {
    const { status, body } = await create(5 * 1024 * MIB);
    expect([status, body.size]).toEqual([201, 5 * 1024 * MIB]);
    expect((await remove(body.id)).status).toBe(200);
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['a\\b.zip', 'b.zip'],
    [`${'n'.repeat(496)}.zip`, `${'n'.repeat(196)}.zip`],
    ['🎹'.repeat(99), '🎹'.repeat(99)],
    ['..', 'download'],
  ])('makes the name %s safe', async (given, name) => {
    const { id } = await upload(Buffer.from('x'), given);
    expect((await get(id)).body.name).toBe(name);
    const answer = await download(await linkOf(id));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toContain(`filename*=UTF-8''${encodeURIComponent(name)}`);
  });

  it('refuses NUL in a name', async () => {
    expect((await create(1, 'a\0.zip')).status).toBe(400);
  });

  it('makes one file under one idempotency key', async () => {
    const ask = () =>
      call(server, 'POST', '/api/files', {
        token: ada.token,
        body: { name: 'a.zip', size: 5 },
        headers: { 'idempotency-key': 'upload-1' },
      });
    const first = await ask();
    const again = await ask();
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('refuses a wrong offset and names the right one', async () => {
    const { id } = (await create(PART + 5)).body;
    for (const offset of [5, PART, PART + 5]) {
      const answer = await send(id, offset, Buffer.alloc(5));
      expect([answer.status, answer.body.code, answer.headers.get('upload-offset')]).toEqual([409, 'conflict', '0']);
    }
    expect((await send(id, 0, Buffer.alloc(PART))).status).toBe(200);
    const repeated = await send(id, 0, Buffer.alloc(PART));
    expect([repeated.status, repeated.headers.get('upload-offset')]).toEqual([409, String(PART)]);
  });

  it('refuses a wrong length, no offset and another type', async () => {
    const { id } = (await create(PART + 5)).body;
    for (const size of [1, PART - 1, PART + 1]) {
      const answer = await send(id, 0, Buffer.alloc(size));
      expect([answer.status, answer.body.errors[0].path]).toEqual([400, 'content-length']);
    }
    for (const offset of ['', '-1', 'x', '1e3']) expect((await send(id, offset, Buffer.alloc(PART))).status).toBe(400);
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x'])
      expect((await send(id, 0, Buffer.alloc(5), { 'content-type': type })).status).toBe(415);
    const chunked = await fetch(`${server.url}/api/files/${id}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${ada.token}`,
        'content-type': 'application/octet-stream',
        'upload-offset': '0',
      },
      body: new Blob([Buffer.alloc(PART)]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(chunked.status).toBe(400);
    expect((await get(id)).body.received).toBe(0);
  });

  it('resumes after a connection that broke in the middle of a part', async () => {
    const content = randomBytes(PART + 1000);
    const { id } = (await create(content.length)).body;
    const request = raw(`${server.url}/api/files/${id}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${ada.token}`,
        'content-type': 'application/octet-stream',
        'content-length': PART,
        'upload-offset': 0,
      },
    });
    // other bytes than those of the second attempt: nothing of them may stay
    await new Promise((resolve) => request.write(Buffer.alloc(PART / 2, 1), resolve));
    const attempts = async () =>
      readdir(path.join(folder, 'files', (await objects()).find((name) => name.startsWith(id)) ?? '-')).catch(() => []);
    await until(async () => (await attempts()).length === 1);
    request.destroy();
    await until(async () => (await attempts()).length === 0);
    expect((await get(id)).body.received).toBe(0);
    expect((await send(id, 0, content.subarray(0, PART))).body.received).toBe(PART);
    expect((await send(id, PART, content.subarray(PART))).body.complete).toBe(true);
    expect(sha(await (await download(await linkOf(id))).bytes())).toBe(sha(content));
    expect(server.logged()).not.toContain('request failed');
  });

  it('reports that the storage failed in the middle of a part, and resumes afterwards', async () => {
    const { id } = (await create(PART)).body;
    putPart = async (_key, _upload, _number, body) => {
      const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('no space left on device')) });
      await pipeline(body, full);
      return '';
    };
    const failed = await send(id, 0, Buffer.alloc(PART));
    putPart = storage.putPart;
    expect([failed.status, failed.body.code, failed.headers.get('retry-after')]).toEqual([503, 'unavailable', '2']);
    expect(server.logged()).toContain('no space left on device');
    expect((await get(id)).body.received).toBe(0);
    expect((await send(id, 0, Buffer.alloc(PART))).body.complete).toBe(true);
  });

  it('lets one of several simultaneous parts through, and keeps its bytes only', async () => {
    const { id } = (await create(PART + 1)).body;
    const bodies = [1, 2, 3, 4].map((fill) => Buffer.alloc(PART, fill));
    const answers = await Promise.all(bodies.map((body) => send(id, 0, body)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409]);
    for (const { headers } of answers) expect(headers.get('upload-offset')).toBe(String(PART));
    const winner = answers.findIndex((answer) => answer.status === 200) + 1;
    const last = await Promise.all([send(id, PART, Buffer.from('!')), send(id, PART, Buffer.from('!'))]);
    expect(last.map((answer) => answer.status).sort()).toEqual([200, 409]);
    const got = await (await download(await linkOf(id))).bytes();
    expect(sha(got)).toBe(sha(Buffer.concat([Buffer.alloc(PART, winner), Buffer.from('!')])));
  });

  it('completes by an empty part what a crash left whole but not put together', async () => {
    const { id, url } = await upload(Buffer.from('abc'));
    const [row] = await server.db.query<{ upload_id: string; parts: string[] }>('select * from files where id = $1', [
      id,
    ]);
    const parts = path.join(folder, 'files', `${id}.bin.${row?.upload_id}.parts`);
    await server.db.query('update files set completed_at = null where id = $1', [id]);
    expect((await get(id)).body).toMatchObject({ received: 3, complete: false });
    // the parts are gone already, the object is there
    await expect(readdir(parts)).rejects.toThrow('ENOENT');
    const done = await send(id, 3, Buffer.alloc(0));
    expect([done.status, done.body.complete, done.body.url]).toEqual([200, true, url]);
    expect((await send(id, 3, Buffer.alloc(0))).status).toBe(200);
  });
});

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

describe('products', () => {
  const put = (id: string, body: unknown) => call(server, 'PUT', `/api/products/${id}`, { token: ada.token, body });
  const post = (rows: unknown[], token = ada.token) =>
    call(server, 'POST', '/api/products', { token, body: { name: `P${random.id()}`, file_urls: rows } });

  it('have own files, by their name when there is no label', async () => {
    const file = await upload(Buffer.from('x'), 'Reverb Mac.dmg');
    const made = await post([{ url: 'https://example.com/a.zip' }, { url: file.url }, { name: 'Mac', url: file.url }]);
    expect(made.body.file_urls).toEqual([
      { name: 'a.zip', url: 'https://example.com/a.zip' },
      { name: 'Reverb Mac.dmg', url: file.url },
      { name: 'Mac', url: file.url },
    ]);
    const changed = await put(made.body.id, { file_urls: [{ url: file.url }] });
    expect(changed.body.file_urls).toEqual([{ name: 'Reverb Mac.dmg', url: file.url }]);
  });

  it('have no unfinished file, no stranger’s and none that never was', async () => {
    const unfinished = (await create(5)).body;
    const file = await upload(Buffer.from('x'));
    const bea = await signUp(server);
    const product = await makeProduct(server, ada.token);
    const absent = '/media/files/01900000-0000-7000-8000-000000000000';
    const rows = (url: string) => [{ url: 'https://example.com' }, { url }];
    for (const answer of [
      await post(rows(unfinished.url)),
      await post(rows(absent)),
      await post(rows(file.url), bea.token),
      await post(rows('/media/files/x')),
      await post(rows(`/media/images/${random.id()}.webp`)),
      await put(product.id, { file_urls: rows(absent) }),
    ]) {
      expect([answer.status, answer.body.code, answer.body.errors[0].path]).toEqual([
        400,
        'invalid_request',
        'file_urls.1.url',
      ]);
    }
  });

  it('keep their file from being deleted', async () => {
    const file = await upload(Buffer.from('x'));
    const product = await makeProduct(server, ada.token, { file_urls: [{ name: '', url: file.url }] });
    const refused = await remove(file.id);
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    expect(refused.body.message).toContain(product.name);
    expect((await put(product.id, { file_urls: [] })).status).toBe(200);
    expect((await remove(file.id)).body).toEqual({ ok: true });
    expect((await get(file.id)).status).toBe(404);
  });

  it('never end up with a file that is deleted at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const file = await upload(Buffer.from('x'));
      const [made, removed] = await Promise.all([post([{ url: file.url }]), remove(file.id)]);
      expect([made.status === 201, removed.status === 200].filter(Boolean)).toHaveLength(1);
    }
  });
});

describe('lists and strangers', () => {
  it('page newest first', async () => {
    const bea = await signUp(server);
    for (const name of ['a', 'b', 'c']) await create(1, name, bea.token);
    const list = (query: string) => call(server, 'GET', `/api/files${query}`, { token: bea.token });
    const first = await list('?limit=2');
    expect(first.body.map((file: { name: string }) => file.name)).toEqual(['c', 'b']);
    expect(first.headers.get('x-total-count')).toBe('3');
    const next = await list(`?limit=2&cursor=${first.headers.get('x-next-cursor')}`);
    expect(next.body.map((file: { name: string }) => file.name)).toEqual(['a']);
    expect(next.headers.get('x-next-cursor')).toBeNull();
    expect((await list('?cursor=rubbish')).status).toBe(400);
  });

  it('look as if nothing were there', async () => {
    const { id } = (await create(5)).body;
    const bea = await signUp(server);
    const authorization = { authorization: `Bearer ${bea.token}` };
    expect((await get(id, bea.token)).status).toBe(404);
    expect((await remove(id, bea.token)).status).toBe(404);
    expect((await send(id, 0, Buffer.alloc(5), authorization)).status).toBe(404);
    expect((await call(server, 'GET', `/api/files/${id}/download`, { token: bea.token })).status).toBe(404);
    const reseller = await signUp(server, 'reseller');
    expect((await create(5, 'a', reseller.token)).status).toBe(403);
    expect((await get(id)).body.received).toBe(0);
  });
});

it('removes uploads that rest for seven days, and finishes whole ones', async () => {
  const service = new Files({
    db: server.db as never,
    clock,
    random,
    secrets: new Secrets([TEST_SECRET], random),
    storage,
    log: createLogger('silent' as never),
    publicUrl: server.url,
    serials: { downloadsOpen: async () => true },
  });
  const rested = (await create(PART + 5)).body;
  expect((await send(rested.id, 0, Buffer.alloc(PART))).status).toBe(200);
  const whole = await upload(Buffer.from('abc'));
  await server.db.query('update files set completed_at = null where id = $1', [whole.id]);
  const count = async (id: string) => (await server.db.query('select 1 from files where id = $1', [id])).length;

  clock.advance(7 * DAY - MINUTE);
  await service.expireUploads();
  expect([await count(rested.id), await count(whole.id)]).toEqual([1, 1]);
  const [row] = await server.db.query('select completed_at from files where id = $1', [whole.id]);
  expect(row?.completed_at).not.toBeNull();
  clock.advance(MINUTE);
  await service.expireUploads();
  expect([await count(rested.id), await count(whole.id)]).toEqual([0, 1]);
  expect((await objects()).filter((name) => name.startsWith(rested.id))).toEqual([]);
});
