import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Failure } from '../exit.ts';
import { type Io, write } from '../io.ts';

/**
 * Writes a stream to a file that appears only when it is complete, or to standard output for `-`.
 * @returns how many lines there were.
 */
export async function save(
  io: Io,
  target: string,
  body: ReadableStream<Uint8Array>,
  onLines: (lines: number) => void,
): Promise<number> {
  let lines = 0;
  async function* counted() {
    for await (const chunk of body) {
      io.signal.throwIfAborted();
      for (const byte of chunk) if (byte === 10) lines += 1;
      onLines(lines);
      yield chunk;
    }
  }
  if (target === '-') {
    for await (const chunk of counted()) await write(io.stdout, chunk);
    return lines;
  }
  const draft = path.join(path.dirname(target), `.${path.basename(target)}.${process.pid}.part`);
  try {
    await pipeline(counted(), createWriteStream(draft, { flags: 'wx' }), { signal: io.signal });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR')
      throw new Failure(`${target} cannot be written (${code}).`);
    throw error;
  }
  return lines;
}
