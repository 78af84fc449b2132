import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Bucket, openBucket } from '@tonerow/test-support/bucket.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { systemRandom } from '../random.ts';
import { fileIdOf, fileUrl } from './file-url.ts';
import { folderStorage } from './folder.ts';
import { s3Storage } from './s3.ts';
import type { Storage } from './storage.ts';

const KEY = 'images/01900000-0000-7000-8000-000000000000.webp';
const MIB = 1024 * 1024;
let folder: string;
let bucket: Bucket;
const stores: Record<string, Storage> = {};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tonerow-files-'));
  stores.folder = folderStorage(folder, systemRandom(systemClock));
  bucket = await openBucket();
  stores.s3 = await s3Storage({
    endpoint: bucket.endpoint,
    bucket: 'tonerow',
    region: 'auto',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
  });
});
afterAll(async () => {
  for (const store of Object.values(stores)) store.close();
  bucket.close();
  await rm(folder, { recursive: true });
});

const bytes = (size: number, fill: number) => Buffer.alloc(size, fill);
const stream = (body: Buffer) => Readable.from([body.subarray(0, 10), body.subarray(10)]);

describe.each(['folder', 's3'])('storage in %s', (name) => {
  const store = () => stores[name] as Storage;
  const newKey = () => `files/${randomUUID()}.bin`;
  const read = async (key: string) => {
    const found = await store().get(key);
    return found ? buffer(found.stream) : null;
  };

  it('stores, returns and deletes', async () => {
    await store().put(KEY, Buffer.from('a picture'), 'image/webp');
    const found = await store().get(KEY);
    expect([found?.size, found?.type]).toEqual([9, 'image/webp']);
    expect(String(await buffer(found?.stream as Readable))).toBe('a picture');
    expect(await store().stat(KEY)).toEqual({ size: 9 });
    await store().delete(KEY);
    expect(await store().get(KEY)).toBeNull();
    expect(await store().stat(KEY)).toBeNull();
  });

  it('gives a range, both ends of it', async () => {
    const key = newKey();
    await store().put(key, Buffer.from('0123456789'), 'application/octet-stream');
    const found = await store().get(key, { start: 2, end: 5 });
    expect([found?.size, String(await buffer(found?.stream as Readable))]).toEqual([4, '2345']);
  });

  it('is read to the end even if it is deleted in the meantime', async () => {
    const key = newKey();
    await store().put(key, bytes(3 * MIB, 7), 'application/octet-stream');
    const found = await store().get(key);
    await store().delete(key);
    expect(await buffer(found?.stream as Readable)).toEqual(bytes(3 * MIB, 7));
  });

  it('puts an object together of the named parts, whatever else was sent', async () => {
    const key = newKey();
    const upload = await store().beginParts(key, 'application/octet-stream');
    const put = (number: number, body: Buffer) => store().putPart(key, upload, number, stream(body), body.length);
    const [first, loser] = await Promise.all([put(1, bytes(5 * MIB, 1)), put(2, bytes(5 * MIB, 9))]);
    const second = await put(16, bytes(100, 2));
    expect(loser).not.toBe(first);
    expect(await store().get(key)).toBeNull();
    await store().completeParts(key, upload, [first, second]);
    expect(await read(key)).toEqual(Buffer.concat([bytes(5 * MIB, 1), bytes(100, 2)]));
    await expect(store().completeParts(key, upload, [first, second])).rejects.toThrow();
    expect((await store().stat(key))?.size).toBe(5 * MIB + 100);
  });

  it('refuses a part that is too short or too long, and discards an upload', async () => {
    const key = newKey();
    const upload = await store().beginParts(key, 'application/octet-stream');
    await expect(store().putPart(key, upload, 1, stream(bytes(99, 1)), 100)).rejects.toThrow('not as long');
    await expect(store().putPart(key, upload, 1, stream(bytes(101, 1)), 100)).rejects.toThrow('not as long');
    const part = await store().putPart(key, upload, 1, stream(bytes(100, 1)), 100);
    await store().abortParts(key, upload);
    await store().abortParts(key, upload);
    await expect(store().completeParts(key, upload, [part])).rejects.toThrow();
    expect(await store().get(key)).toBeNull();
  });

  it.each(['../../etc/passwd', 'images/../secret', 'images/x.webp', '/images/a', ''])(
    'takes no key like "%s"',
    async (key) => {
      await expect(store().put(key, Buffer.from('x'), 'image/webp')).rejects.toThrow('not a storage key');
      await expect(store().get(key)).rejects.toThrow('not a storage key');
      await expect(store().stat(key)).rejects.toThrow('not a storage key');
      await expect(store().beginParts(key, 'image/webp')).rejects.toThrow('not a storage key');
    },
  );
});

it('leaves nothing of an upload that breaks', async () => {
  const broken = () =>
    Readable.from(
      (async function* () {
        yield Buffer.from('half');
        throw new Error('connection lost');
      })(),
    );
  const key = `broken/${randomUUID()}.bin`;
  await expect(stores.folder?.put(key, broken(), 'image/webp')).rejects.toThrow('connection lost');
  const upload = (await stores.folder?.beginParts(key, 'image/webp')) as string;
  await expect(stores.folder?.putPart(key, upload, 1, broken(), 8)).rejects.toThrow('connection lost');
  await stores.folder?.abortParts(key, upload);
  expect(await readdir(path.join(folder, 'broken'))).toEqual([]);
});

it('takes no upload or part that leads out of its folder', async () => {
  const key = `files/${randomUUID()}.bin`;
  const upload = (await stores.folder?.beginParts(key, 'x')) as string;
  await expect(stores.folder?.abortParts(key, '/../..')).rejects.toThrow('not an upload');
  await expect(stores.folder?.completeParts(key, upload, ['../../../etc/passwd'])).rejects.toThrow('not a part');
});

it('recognizes its own files by their names', () => {
  const id = randomUUID();
  expect(fileIdOf(fileUrl(id))).toBe(id);
  for (const url of [`https://example.com/media/files/${id}`, `/media/files/${id}/x`, '/media/files/../x', ''])
    expect(fileIdOf(url)).toBeNull();
});
