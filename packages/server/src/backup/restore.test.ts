import { createReadStream } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { archiveWriter } from './archive.ts';
import { Progress } from './progress.ts';
import { checkWhole, openBackup } from './restore.ts';

it.each([
  ['a text', Readable.from([Buffer.from('# Readme\n')])],
  ['another archive', Readable.from([gzipSync('no backup at all')])],
  ['a folder', createReadStream('packages')],
])('%s is refused as no backup, in words', async (_what, source) => {
  await expect(openBackup('x.backup', source)).rejects.toThrow('x.backup is not a backup of Tonerow.');
});

it('a file that is not there is named', async () => {
  await expect(openBackup('/nope', createReadStream('/nope'))).rejects.toThrow('There is no file at /nope.');
});

/** A backup of one table, before it is compressed. */
async function content({ tables = 1, end = true } = {}): Promise<Buffer> {
  const sink = new PassThrough({ highWaterMark: 1e6 });
  const archive = archiveWriter(sink);
  await archive.entry({ kind: 'header', version: 1, createdAt: '2026-11-22T03:00:00Z', migrations: [], secret: null });
  await archive.entry({ kind: 'table', name: 'serials', columns: ['id'] });
  await archive.content(Readable.from([Buffer.alloc(1000, 'ABCD-EFGH\n'), Buffer.alloc(500, '\n')]));
  if (end) await archive.entry({ kind: 'end', tables, files: 0 });
  return sink.read() as Buffer;
}
const flipped = (bytes: Buffer, at: number) => {
  const other = Buffer.from(bytes);
  other.writeUInt8(other.readUInt8(at) ^ 0xff, at);
  return other;
};
const checked = async (bytes: Buffer) => checkWhole('x.backup', await openBackup('x.backup', Readable.from([bytes])));

it('a whole backup is read to its end before anything is made of it', async () => {
  expect(await checked(gzipSync(await content()))).toBe(1500);
});

const CUT =
  'x.backup is cut off: it ends before the backup does. Copy it again, or take another one. Nothing was restored.';
const DAMAGED = /^x\.backup is damaged: .* Nothing was restored\.$/;

it.each<[string, () => Promise<Buffer>, string | RegExp]>([
  ['its last bytes are missing', async () => gzipSync(await content()).subarray(0, -1), CUT],
  ['half of it is missing', async () => gzipSync(await content(), { level: 0 }).subarray(0, 900), CUT],
  ['nothing is left of it', async () => Buffer.alloc(0), CUT],
  ['it has only begun', async () => gzipSync(await content()).subarray(0, 12), CUT],
  ['it was cut before it was compressed', async () => gzipSync((await content()).subarray(0, 900)), CUT],
  ['its end was never written', async () => gzipSync(await content({ end: false })), CUT],
  ['a table is missing', async () => gzipSync(await content({ tables: 2 })), DAMAGED],
  [
    'its checksum differs',
    async () => flipped(gzipSync(await content()), -8 + gzipSync(await content()).length),
    DAMAGED,
  ],
  ['a row was changed', async () => flipped(gzipSync(await content(), { level: 0 }), 900), DAMAGED],
])('a backup is refused in words when %s', async (_what, made, words) => {
  await expect(checked(await made())).rejects.toThrow(words);
});

it('a long restore reports how far it is when a line is due, and not before there is something', async () => {
  const lines: string[] = [];
  let done = 0;
  await new Promise<void>((enough) => {
    const progress = new Progress((line) => {
      lines.push(line);
      done = 7;
      if (lines.length < 2) return;
      progress.end();
      enough();
    }, 1);
    progress.now(() => `${done} %`);
  });
  expect(lines).toEqual(['0 %', '7 %']);
});
