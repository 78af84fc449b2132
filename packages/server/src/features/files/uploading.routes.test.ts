import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  download,
  type FileServer,
  fileCalls,
  MIB,
  PART,
  raw,
  sha,
  startFileServer,
  until,
} from '@tonerow/test-support/file-calls.ts';
import { call, type Person } from '@tonerow/test-support/http.ts';
import type { TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let files: FileServer;
const { create, get, linkOf, objects, remove, send, upload } = fileCalls(() => files);
let server: TestServer;
let ada: Person;
let folder: string;
beforeAll(async () => {
  files = await startFileServer();
  ({ server, ada, folder } = files);
});
afterAll(() => files.stop());

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
      sha256: null,
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
    expect((await get(id)).body).toEqual({ ...done.body, sha256: expect.toBeOneOf([null, sha(content)]) });
    // by a job, which reads it once
    await until(async () => (await get(id)).body.sha256 === sha(content));

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
    files.putPartBy(async (_key, _upload, _number, body) => {
      const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('no space left on device')) });
      await pipeline(body, full);
      return '';
    });
    const failed = await send(id, 0, Buffer.alloc(PART));
    files.putPartBy();
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
