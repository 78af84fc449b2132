import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { openBackup } from './restore.ts';

it.each([
  ['a text', Readable.from([Buffer.from('# Readme\n')])],
  ['another archive', Readable.from([gzipSync('no backup at all')])],
  ['a folder', createReadStream('packages')],
  ['nothing', Readable.from([])],
])('%s is refused as no backup, in words', async (_what, source) => {
  await expect(openBackup('x.backup', source)).rejects.toThrow('x.backup is not a backup of Tonerow.');
});

it('a file that is not there is named', async () => {
  await expect(openBackup('/nope', createReadStream('/nope'))).rejects.toThrow('There is no file at /nope.');
});
