import { createWriteStream } from 'node:fs';
import { access, constants, link, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Failure } from '../exit.ts';
import { type Io, write } from '../io.ts';

export interface Target {
  /** `-`: standard output. */
  file: string;
  /** Whether a file that exists is replaced. */
  force: boolean;
  /** Permissions of a new file, before the umask. */
  mode: number;
}

export interface Written {
  lines: number;
  bytes: number;
}

/**
 * Writes a stream to a file that appears only when it is complete, or to standard output.
 * @param check throws when what arrived is not everything; the file is not made then.
 */
export async function save(
  io: Io,
  target: Target,
  response: Response,
  onProgress: (written: Written) => void,
  check: (written: Written) => void,
): Promise<void> {
  const written: Written = { lines: 0, bytes: 0 };
  async function* counted() {
    for await (const chunk of whole(io, response)) {
      for (const byte of chunk) if (byte === 10) written.lines += 1;
      written.bytes += chunk.length;
      onProgress(written);
      yield chunk;
    }
    check(written);
  }
  if (target.file === '-') return print(io, counted());
  // a device or a pipe is written into: a file in its place would be the end of /dev/null
  const straight = await isSpecial(target.file);
  // where a link leads to is written, not the link
  const place = await realpath(target.file).catch(() => target.file);
  const draft = path.join(path.dirname(place), `.${path.basename(place)}.${process.pid}.part`);
  try {
    const into = straight
      ? createWriteStream(target.file)
      : createWriteStream(draft, { flags: 'wx', mode: target.mode });
    await pipeline(counted(), into, { signal: io.signal });
    if (!straight) await put(draft, place, target.force);
  } catch (error) {
    throw unwritable(target.file, error);
  } finally {
    if (!straight) await rm(draft, { force: true });
  }
}

async function print(io: Io, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  let last: number | undefined;
  for await (const chunk of chunks) {
    await write(io.stdout, chunk);
    last = chunk.at(-1) ?? last;
  }
  // on a terminal the prompt begins a line of its own; a pipe gets what was sent
  if (io.stdout.isTTY && last !== undefined && last !== 10) await write(io.stdout, '\n');
}

/** Without force the file must not be there, also not since it was looked for. */
async function put(draft: string, place: string, force: boolean): Promise<void> {
  if (force) return rename(draft, place);
  await link(draft, place).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw exists(place);
    // some file systems have no hard links
    if (await stat(place).catch(() => undefined)) throw exists(place);
    await rename(draft, place);
  });
}

/** What comes from the network breaks off with no more than "terminated". */
async function* whole(io: Io, { body, url }: Response): AsyncGenerator<Uint8Array> {
  if (!body) throw new Failure(`The response from ${addressOf(url)} was empty.`);
  const chunks = body[Symbol.asyncIterator]();
  for (;;) {
    io.signal.throwIfAborted();
    const { value, done } = await chunks.next().catch((error) => {
      io.signal.throwIfAborted();
      throw cutOff(url, error.cause?.code ?? error.message);
    });
    if (done) return;
    yield value;
  }
}

/** The whole of an answer as text. */
export async function readText(io: Io, response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of whole(io, response)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

export function cutOff(url: string, why: string): Failure {
  return new Failure(`The response from ${addressOf(url)} was cut off (${why}).`);
}

/** Without the query, which may hold a token. */
function addressOf(url: string): string {
  return url.split('?')[0] as string;
}

/**
 * Before anything is asked of the server: could its answer be kept?
 * @throws {Failure} when it could not, or when a file is there that may not be replaced.
 */
export async function mustBeWritable(file: string, force: boolean): Promise<void> {
  if (file === '-') return;
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory()) throw unwritable(file, { code: 'EISDIR' });
  if (found?.isFile() && !force) throw exists(file);
  await access((await isSpecial(file)) ? file : path.dirname(file), constants.W_OK).catch((error) => {
    throw unwritable(file, error);
  });
}

async function isSpecial(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

function exists(file: string): Failure {
  return new Failure(`${file} already exists. Choose another name, or overwrite it with --force.`);
}

const UNWRITABLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EISDIR', 'EROFS', 'ENOSPC'];

function unwritable(file: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return UNWRITABLE.includes(code) ? new Failure(`${file} cannot be written (${code}).`) : error;
}
