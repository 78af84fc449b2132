import { createWriteStream } from 'node:fs';
import { access, constants, link, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Failure } from '#exit.ts';
import { type Io, write } from '#io.ts';
import { isRunning } from '#run/is-running.ts';
import { unwritable } from './unwritable.ts';

export interface Target {
  /** `-`: standard output. */
  file: string;
  /** Whether an existing file is replaced. */
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
 * @param check throws when the response was incomplete; no file is created then.
 * @param mark goes before the stream, and does not count.
 */
export async function save(
  io: Io,
  target: Target,
  response: Response,
  onProgress: (written: Written) => void,
  check: (written: Written) => void,
  mark?: Uint8Array,
): Promise<void> {
  const written: Written = { lines: 0, bytes: 0 };
  async function* counted() {
    if (mark) yield mark;
    for await (const chunk of whole(io, response)) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) written.lines += 1;
      written.bytes += chunk.length;
      onProgress(written);
      yield chunk;
    }
    check(written);
  }
  if (target.file === '-') return print(io, counted());
  // devices and pipes are written into: replacing /dev/null with a file would destroy it
  const straight = await isSpecial(target.file);
  // writes the target of a symbolic link, not the link
  const place = await realpath(target.file).catch(() => target.file);
  const unique = `${process.pid}.${crypto.randomUUID().slice(0, 8)}`;
  const draft = path.join(path.dirname(place), `.${path.basename(place)}.${unique}.part`);
  if (!straight) await removeLeftovers(place);
  const into = straight ? createWriteStream(target.file) : createWriteStream(draft, { flags: 'wx', mode: target.mode });
  try {
    await pipeline(counted(), into, { signal: io.signal });
    if (!straight) await put(draft, place, target.force);
  } catch (error) {
    throw unwritable(target.file, error);
  } finally {
    // a stream that broke off at once may have been removed before its file was made
    if (!straight && !into.closed) await new Promise<void>((resolve) => into.once('close', () => resolve()));
    if (!straight) await rm(draft, { force: true });
  }
}

/** Removes what runs that were killed left behind. */
async function removeLeftovers(place: string): Promise<void> {
  const folder = path.dirname(place);
  const begins = `.${path.basename(place)}.`;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(begins)) continue;
    const [, pid] = /^(\d+)\.\w{8}\.part$/.exec(name.slice(begins.length)) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(path.join(folder, name), { force: true });
  }
}

async function print(io: Io, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  let last: number | undefined;
  for await (const chunk of chunks) {
    await write(io.stdout, chunk);
    last = chunk.at(-1) ?? last;
  }
  // on a terminal the prompt starts on a new line; a pipe gets exactly what was sent
  if (io.stdout.isTTY && last !== undefined && last !== 10) await write(io.stdout, '\n');
}

/**
 * Moves a draft into its place. Without force the file must not exist, not even if it appeared since it was checked.
 */
async function put(draft: string, place: string, force: boolean): Promise<void> {
  if (force) return rename(draft, place);
  await link(draft, place).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw exists(place);
    // some file systems have no hard links
    if (await stat(place).catch(() => undefined)) throw exists(place);
    await rename(draft, place);
  });
}

/** A cut-off response just fails with "terminated". */
async function* whole(io: Io, { body, url }: Response): AsyncGenerator<Uint8Array> {
  if (!body) throw new Failure(`The response from ${addressOf(url)} was empty.`);
  const chunks = body[Symbol.asyncIterator]();
  for (;;) {
    io.signal.throwIfAborted();
    const { value, done } = await chunks.next().catch((error) => {
      io.signal.throwIfAborted();
      const { code } = error.cause ?? {};
      throw cutOff(url, code === undefined || code === 'UND_ERR_SOCKET' ? 'the connection ended' : code);
    });
    if (done) return;
    yield value;
  }
}

/** The whole response as text. */
export async function readText(io: Io, response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of whole(io, response)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

export function cutOff(url: string, why: string): Failure {
  return new Failure(`The response from ${addressOf(url)} was cut off (${why}).`);
}

/** The address without the query, which may contain a token. */
function addressOf(url: string): string {
  return url.split('?')[0] as string;
}

/**
 * Checks that a file can be written, before anything is requested from the server.
 * @throws {Failure} when it cannot, or when it exists and may not be replaced.
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
