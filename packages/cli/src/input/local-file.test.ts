import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileOf, longFileOf } from './local-file.ts';

/** More than 32 bits can count, and nothing on the disk but its end. */
const SIZE = 2 ** 32 + 1000;
let file: string;
beforeAll(async () => {
  file = path.join(await mkdtemp(path.join(tmpdir(), 'tonerow-long-')), 'library.zip');
  const handle = await open(file, 'w');
  await handle.write('the end', SIZE - 7);
  await handle.close();
});
afterAll(() => rm(path.dirname(file), { recursive: true }));

it('a long file is sent whole, part by part', async () => {
  const long = await longFileOf(file);
  expect([long.size, long.name]).toEqual([SIZE, 'library.zip']);
  const last = long.slice(SIZE - 7, SIZE + 100);
  expect([last.size, await text(last.stream())]).toEqual([7, 'the end']);
  const response = new Response(last);
  expect(await response.text()).toBe('the end');
});

it('a form refuses what it would cut off', async () => {
  await expect(fileOf(file)).rejects.toThrow('is larger than 4 GB');
});

it('a file that changes between its parts is not sent as one', async () => {
  const changed = path.join(path.dirname(file), 'changed.zip');
  await writeFile(changed, 'one and two');
  const long = await longFileOf(changed);
  expect(long.slice(0, 3).size).toBe(3);
  await writeFile(changed, 'one');
  expect(() => long.slice(3, 11)).toThrow('was changed while it was sent');
});
