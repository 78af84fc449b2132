import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
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
let bucket: Server;
const stores: Record<string, Storage> = {};

interface Object {
  body: Buffer;
  type: string;
}

/** The part of S3 that is used, with signed requests only. */
function fakeBucket() {
  const objects = new Map<string, Object>();
  const uploads = new Map<string, { type: string; parts: Map<number, { body: Buffer; etag: string }> }>();
  const absent = (response: ServerResponse, code: string) =>
    response.writeHead(404, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);

  const inParts = async (request: IncomingMessage, response: ServerResponse, name: string, query: URLSearchParams) => {
    if (query.has('uploads')) {
      const id = `upload/+${randomUUID()}`;
      uploads.set(id, { type: request.headers['content-type'] ?? '', parts: new Map() });
      return response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    const id = query.get('uploadId') as string;
    const upload = uploads.get(id);
    if (!upload) return absent(response, 'NoSuchUpload');
    if (request.method === 'DELETE') {
      uploads.delete(id);
      return response.writeHead(204).end();
    }
    if (request.method === 'PUT') {
      const body = await buffer(request);
      const etag = `"${createHash('md5').update(body).digest('hex')}"`;
      upload.parts.set(Number(query.get('partNumber')), { body, etag });
      return response.writeHead(200, { etag }).end();
    }
    const wanted = [...(await text(request)).matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      etag: /<ETag>(.*?)</.exec(part)?.[1]?.replaceAll('&quot;', '"'),
    }));
    const ordered = wanted.every(({ number }, i) => i === 0 || number > (wanted[i - 1]?.number ?? 0));
    const found = wanted.map(({ number, etag }) => {
      const part = upload.parts.get(number);
      return part?.etag === etag ? part?.body : undefined;
    });
    if (!ordered || found.includes(undefined)) {
      return response
        .writeHead(400, { 'content-type': 'application/xml' })
        .end('<Error><Code>InvalidPart</Code></Error>');
    }
    objects.set(name, { body: Buffer.concat(found as Buffer[]), type: upload.type });
    uploads.delete(id);
    return response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end('<CompleteMultipartUploadResult><ETag>"all"</ETag></CompleteMultipartUploadResult>');
  };

  return createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://bucket');
    const name = url.pathname;
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=id/'))
      return void response.writeHead(403).end();
    if (url.searchParams.has('uploads') || url.searchParams.has('uploadId'))
      return void (await inParts(request, response, name, url.searchParams));
    const stored = objects.get(name);
    if (request.method === 'PUT') {
      objects.set(name, { body: await buffer(request), type: request.headers['content-type'] ?? '' });
      response.writeHead(200, { etag: '"1"' }).end();
    } else if (request.method === 'DELETE') {
      objects.delete(name);
      response.writeHead(204).end();
    } else if (stored) {
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
      const body = range ? stored.body.subarray(Number(range[1]), Number(range[2]) + 1) : stored.body;
      response.writeHead(range ? 206 : 200, { 'content-type': stored.type, 'content-length': body.length });
      response.end(request.method === 'HEAD' ? undefined : body);
    } else {
      absent(response, 'NoSuchKey');
    }
  });
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tonerow-files-'));
  stores.folder = folderStorage(folder, systemRandom(systemClock));
  bucket = fakeBucket();
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
