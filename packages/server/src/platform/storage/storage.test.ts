import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { systemRandom } from '../random.ts';
import { folderStorage } from './folder.ts';
import { s3Storage } from './s3.ts';
import type { Storage } from './storage.ts';

const KEY = 'images/01900000-0000-7000-8000-000000000000.webp';
let folder: string;
let bucket: Server;
const stores: Record<string, Storage> = {};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tonerow-files-'));
  stores.folder = folderStorage(folder, systemRandom(systemClock));
  // the part of S3 that is used, with signed requests only
  const objects = new Map<string, { body: Buffer; type: string }>();
  bucket = createServer(async (request, response) => {
    const name = request.url?.split('?')[0] ?? '';
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=id/'))
      return void response.writeHead(403).end();
    const stored = objects.get(name);
    if (request.method === 'PUT') {
      objects.set(name, { body: await buffer(request), type: request.headers['content-type'] ?? '' });
      response.writeHead(200, { etag: '"1"' }).end();
    } else if (request.method === 'DELETE') {
      objects.delete(name);
      response.writeHead(204).end();
    } else if (stored) {
      response.writeHead(200, { 'content-type': stored.type, 'content-length': stored.body.length }).end(stored.body);
    } else {
      response.writeHead(404, { 'content-type': 'application/xml' }).end('<Error><Code>NoSuchKey</Code></Error>');
    }
  });
  await new Promise<void>((resolve) => bucket.listen(0, '127.0.0.1', resolve));
  const { port } = bucket.address() as { port: number };
  const endpoint = `http://127.0.0.1:${port}`;
  stores.s3 = await s3Storage({
    endpoint,
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

describe.each(['folder', 's3'])('storage in %s', (name) => {
  const store = () => stores[name] as Storage;

  it('keeps, gives back and forgets', async () => {
    await store().put(KEY, Buffer.from('a picture'), 'image/webp');
    const found = await store().get(KEY);
    expect([found?.size, found?.type]).toEqual([9, 'image/webp']);
    expect(String(await buffer(found?.stream as Readable))).toBe('a picture');
    await store().delete(KEY);
    expect(await store().get(KEY)).toBeNull();
  });

  it.each(['../../etc/passwd', 'images/../secret', 'images/x.webp', '/images/a', ''])(
    'takes no key like "%s"',
    async (key) => {
      await expect(store().put(key, Buffer.from('x'), 'image/webp')).rejects.toThrow('not a storage key');
      await expect(store().get(key)).rejects.toThrow('not a storage key');
    },
  );
});

it('leaves nothing of an upload that breaks', async () => {
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('half');
      throw new Error('connection lost');
    })(),
  );
  await expect(stores.folder?.put(KEY, broken, 'image/webp')).rejects.toThrow('connection lost');
  expect(await readdir(path.join(folder, 'images'))).toEqual([]);
});
