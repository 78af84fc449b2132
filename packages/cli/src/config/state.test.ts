import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { alone } from './state.ts';

const NOBODY = 99_999_999;

async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await turn();
}

it('lets one in at a time, also when a process that was killed has left its lock', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-alone-'));
  const file = path.join(folder, 'state.json');
  await writeFile(file, '0');
  await writeFile(`${file}.lock`, String(NOBODY));
  let [inside, most] = [0, 0];
  const addOne = () =>
    alone(file, async () => {
      inside += 1;
      most = Math.max(most, inside);
      const before = Number(await readFile(file, 'utf8'));
      await turns(5);
      await writeFile(file, String(before + 1));
      inside -= 1;
    });
  // each comes a moment later, so that one may take the lock while another still looks at what was there before
  await Promise.all(Array.from({ length: 24 }, (_, n) => turns(n).then(addOne)));
  expect([await readFile(file, 'utf8'), most]).toEqual(['24', 1]);
  expect(await readdir(folder)).toEqual(['state.json']);
});
