import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Io } from '#io.ts';
import { save } from './file.ts';

it('leaves nothing of a response that breaks before its file is open', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-save-'));
  try {
    const io = { signal: new AbortController().signal } as Io;
    const broken = () =>
      new Response(new ReadableStream({ start: (controller) => controller.error(new Error('cut')) }));
    const target = (n: number) => ({ file: path.join(folder, `${n}.csv`), force: false, mode: 0o600 });
    for (let n = 0; n < 500; n += 1) {
      const saved = save(
        io,
        target(n),
        broken(),
        () => undefined,
        () => undefined,
      );
      await expect(saved).rejects.toThrow('cut');
    }
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
