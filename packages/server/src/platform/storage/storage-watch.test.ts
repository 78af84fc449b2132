import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { type Bucket, openBucket } from '@tonerow/test-support/bucket.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, TestClock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { createLogger } from '../log.ts';
import { Metrics } from '../metrics/metrics.ts';
import { s3Storage } from './s3.ts';
import { ShortPart, type Storage } from './storage.ts';
import { isAway, StorageWatch } from './storage-watch.ts';

const KEY = 'images/01900000-0000-7000-8000-000000000000.webp';
let bucket: Bucket;
let store: Storage;
let metrics: Metrics;
let watch: StorageWatch;
const clock = new TestClock('2027-01-01T00:00:00Z');
/** Lines of one test alone: a bucket that never answers is given up when another test has begun. */
let lines: string[];

beforeEach(async () => {
  bucket = await openBucket();
  const access = { region: 'auto', accessKeyId: 'id', secretAccessKey: 'secret' };
  store = await s3Storage({ endpoint: bucket.endpoint, bucket: 'tonerow', ...access });
  metrics = new Metrics('report');
  const own: string[] = [];
  lines = own;
  const log = createLogger('info', { write: (line) => void own.push(line) });
  watch = new StorageWatch({ storage: store, clock, log, metrics });
});
afterEach(() => {
  store.close();
  bucket.close();
});

const up = async () => /^tonerow_storage_up (\d)$/m.exec(await metrics.registry.metrics())?.[1];
const failures = async (operation: string) =>
  new RegExp(`^tonerow_storage_failures_total\\{operation="${operation}"\\} (\\d+)$`, 'm').exec(
    await metrics.registry.metrics(),
  )?.[1];

describe('a bucket that is away', () => {
  it.each(['busy', 'denied', 'broken'] as const)(
    'because it is %s is a warning, a figure and one line; afterwards it works as before and nothing is lost',
    async (trouble) => {
      await watch.storage.put(KEY, Buffer.from('kept'), 'image/webp');
      bucket.trouble(trouble);
      for (let tries = 0; tries < 2; tries += 1) {
        const refused = await watch.storage.put(KEY, Buffer.from('other'), 'image/webp').catch((error) => error);
        expect(refused).toBeInstanceOf(AppError);
        expect(refused).toMatchObject({ code: 'unavailable', status: 503, retryAfter: 2 });
      }
      expect(await watch.warnings()).toEqual(['storage_unreachable']);
      expect([await up(), await failures('put')]).toEqual(['0', '2']);
      expect(lines.filter((line) => line.includes('cannot be used'))).toHaveLength(1);
      bucket.trouble();
      expect(String(await new Response(streamOf((await watch.storage.get(KEY))?.stream)).text())).toBe('kept');
      expect(await watch.warnings()).toEqual([]);
      expect(await up()).toBe('1');
      expect(lines.at(-1)).toContain('can be used again');
    },
  );

  it('is found by asking it, now and then, without anybody who needs it', async () => {
    expect(await watch.warnings()).toEqual([]);
    bucket.trouble('denied');
    expect(await watch.warnings()).toEqual([]);
    clock.advance(MINUTE);
    await expect.poll(() => watch.warnings()).toEqual(['storage_unreachable']);
    bucket.trouble();
    clock.advance(MINUTE);
    await expect.poll(() => watch.warnings()).toEqual([]);
  });

  it('keeps no health check waiting when it does not answer at all', async () => {
    bucket.trouble('silent');
    clock.advance(MINUTE);
    const begun = performance.now();
    await watch.warnings();
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  it('is not what an absent object is, nor a part that is too short', async () => {
    expect(await watch.storage.get(KEY)).toBeNull();
    const upload = await watch.storage.beginParts('files/01900000-0000-7000-8000-000000000000.bin', 'x');
    const short = watch.storage.putPart(
      'files/01900000-0000-7000-8000-000000000000.bin',
      upload,
      1,
      streamFrom('x'),
      100,
    );
    await expect(short).rejects.toBeInstanceOf(ShortPart);
    expect([await up(), lines]).toEqual(['1', []]);
  });
});

it('a connection of the sender that breaks is not the storage’s', () => {
  expect(isAway(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))).toBe(false);
  expect(isAway(Object.assign(new Error('x'), { code: 'ECONNRESET', $metadata: { attempts: 3 } }))).toBe(true);
  expect(isAway(Object.assign(new Error('x'), { $metadata: { httpStatusCode: 404 } }))).toBe(false);
  expect(isAway(new Error('wrapped', { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) }))).toBe(true);
});

it('nobody at its address is a bucket that is away', async () => {
  const nobody = createServer();
  await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve));
  const { port } = nobody.address() as { port: number };
  await new Promise((resolve) => nobody.close(resolve));
  const access = { region: 'auto', accessKeyId: 'id', secretAccessKey: 'secret' };
  const gone = await s3Storage({ endpoint: `http://127.0.0.1:${port}`, bucket: 'tonerow', ...access });
  const error = await gone.stat(KEY).catch((each) => each);
  gone.close();
  expect(isAway(error)).toBe(true);
});

const streamFrom = (text: string) => Readable.from([Buffer.from(text)]);
const streamOf = (stream: Readable | undefined) => Readable.toWeb(stream as Readable) as ReadableStream;
