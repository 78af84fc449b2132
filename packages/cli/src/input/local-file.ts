import { createReadStream, openAsBlob, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { Failure } from '#exit.ts';

/** Node counts the bytes of a blob from a file in 32 bits: of a longer file it would send the rest of a division, without a word. */
const MOST = 2 ** 32 - 1;

/**
 * A file on this machine that is read while it is sent in a form.
 * @throws {Failure} when it cannot be read, or is longer than 4 GiB
 */
export async function fileOf(file: string): Promise<File> {
  const { size, modified } = await lookAt(file);
  if (size > MOST) throw new Failure(`${file} is larger than 4 GB. Split it.`);
  const blob = await openAsBlob(file);
  // not `new File([blob])`, which would copy it; a form only needs the name
  return Object.assign(blob, { name: path.basename(file), lastModified: modified }) as unknown as File;
}

/** A file of any size on this machine, whose parts are read while they are sent. */
export interface LongFile {
  name: string;
  size: number;
  lastModified: number;
  slice(start: number, end: number): Blob;
}

/** @throws {Failure} when it cannot be read */
export async function longFileOf(file: string): Promise<LongFile> {
  const { size, modified } = await lookAt(file);
  return {
    ...{ name: path.basename(file), size, lastModified: modified },
    slice: (start, end) => {
      const now = statSync(file);
      // its parts would be of two files
      if (now.size !== size || now.mtimeMs !== modified) throw new Failure(`${file} was changed while it was sent.`);
      return new FilePart(file, start, Math.min(end, size));
    },
  };
}

/** Only what sending a blob asks of it: its size and its stream. */
class FilePart extends Blob {
  readonly #file: string;
  readonly #start: number;
  readonly #end: number;

  constructor(file: string, start: number, end: number) {
    super();
    this.#file = file;
    this.#start = start;
    this.#end = end;
  }

  override get size(): number {
    return this.#end - this.#start;
  }

  override stream() {
    const bytes = createReadStream(this.#file, { start: this.#start, end: this.#end - 1 });
    return Readable.toWeb(bytes) as ReturnType<Blob['stream']>;
  }
}

async function lookAt(file: string): Promise<{ size: number; modified: number }> {
  const info = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`${file} cannot be read (${error.code}).`);
  });
  if (!info.isFile()) throw new Failure(`${file} is not a file.`);
  return { size: info.size, modified: info.mtimeMs };
}

/** @throws {Failure} when it cannot be read. */
export async function readTextFile(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`${file} cannot be read (${error.code}).`);
  });
}
