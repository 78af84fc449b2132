import { openAsBlob } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '#exit.ts';

/** A file on this machine that is read while it is sent. */
export async function fileOf(file: string): Promise<File> {
  const info = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`${file} cannot be read (${error.code}).`);
  });
  if (!info.isFile()) throw new Failure(`${file} is not a file.`);
  const blob = await openAsBlob(file);
  // not `new File([blob])`, which would copy it; a form only needs the name
  return Object.assign(blob, { name: path.basename(file), lastModified: info.mtimeMs }) as unknown as File;
}

/** @throws {Failure} when it cannot be read. */
export async function readTextFile(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`${file} cannot be read (${error.code}).`);
  });
}
