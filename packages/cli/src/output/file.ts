import { createWriteStream } from 'node:fs';
import { access, constants, realpath, rename, rm, stat } from 'node:fs/promises';
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
    for await (const chunk of whole(io, body)) {
      for (const byte of chunk) if (byte === 10) lines += 1;
      onLines(lines);
      yield chunk;
    }
  }
  if (target === '-') {
    let last: number | undefined;
    for await (const chunk of counted()) {
      await write(io.stdout, chunk);
      last = chunk.at(-1) ?? last;
    }
    // on a terminal the prompt begins a line of its own; a pipe gets what was sent
    if (io.stdout.isTTY && last !== undefined && last !== 10) await write(io.stdout, '\n');
    return lines;
  }
  // a device or a pipe is written into: a file in its place would be the end of /dev/null
  const straight = await isSpecial(target);
  // where a link leads to is written, not the link
  const place = await realpath(target).catch(() => target);
  const draft = path.join(path.dirname(place), `.${path.basename(place)}.${process.pid}.part`);
  try {
    const into = straight ? createWriteStream(target) : createWriteStream(draft, { flags: 'wx' });
    await pipeline(counted(), into, { signal: io.signal });
    if (!straight) await rename(draft, place);
  } catch (error) {
    if (!straight) await rm(draft, { force: true });
    throw unwritable(target, error);
  }
  return lines;
}

/** What comes from the network breaks off with no more than "terminated". */
async function* whole(io: Io, body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  for (;;) {
    io.signal.throwIfAborted();
    const { value, done } = await chunks.next().catch((error) => {
      io.signal.throwIfAborted();
      throw new Failure(`The answer broke off before its end (${error.cause?.code ?? error.message}).`);
    });
    if (done) return;
    yield value;
  }
}

/**
 * Before something that cannot be taken back: could its answer be kept?
 * @throws {Failure} when it could not.
 */
export async function mustBeWritable(target: string): Promise<void> {
  if (target === '-') return;
  const found = await stat(target).catch(() => undefined);
  if (found?.isDirectory()) throw unwritable(target, { code: 'EISDIR' });
  await access((await isSpecial(target)) ? target : path.dirname(target), constants.W_OK).catch((error) => {
    throw unwritable(target, error);
  });
}

async function isSpecial(target: string): Promise<boolean> {
  const found = await stat(target).catch(() => undefined);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

const UNWRITABLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EISDIR', 'EROFS', 'ENOSPC'];

function unwritable(target: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return UNWRITABLE.includes(code) ? new Failure(`${target} cannot be written (${code}).`) : error;
}
