import { access, constants, lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '#exit.ts';
import { unwritable } from '#output/files/unwritable.ts';
import { isRunning } from '#run/is-running.ts';

/** @throws {Failure} when there is something of this name. */
export async function mustNotExist(folder: string): Promise<void> {
  const found = await lstat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw unwritable(folder, error);
  });
  if (found) throw new Failure(`${folder} exists. Choose another folder with --dir.`, 'folder_exists');
}

/** @throws {Failure} when no folder can be made there. */
export async function mustBeWritable(folder: string): Promise<void> {
  await access(path.dirname(folder), constants.W_OK).catch((error) => {
    throw unwritable(folder, error);
  });
}

/** Writes files into a new folder, which is there whole or not at all. */
export async function writeProject(folder: string, files: Record<string, string>, signal: AbortSignal): Promise<void> {
  const place = path.dirname(folder);
  const begin = `.${path.basename(folder)}.`;
  await removeLeftovers(place, begin);
  const draft = path.join(place, `${begin}${process.pid}.${crypto.randomUUID().slice(0, 8)}.part`);
  try {
    await mkdir(draft);
    for (const [name, text] of Object.entries(files)) {
      signal.throwIfAborted();
      const file = path.join(draft, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    await mustNotExist(folder);
    await rename(draft, folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // another run was first
    if (code === 'ENOTEMPTY' || code === 'EEXIST') await mustNotExist(folder);
    throw unwritable(folder, error);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Removes what runs that were killed left behind. */
async function removeLeftovers(place: string, begin: string): Promise<void> {
  for (const name of await readdir(place).catch(() => [])) {
    const [, pid] = name.startsWith(begin) ? (/^(\d+)\.\w{8}\.part$/.exec(name.slice(begin.length)) ?? []) : [];
    if (pid !== undefined && !isRunning(Number(pid)))
      await rm(path.join(place, name), { recursive: true, force: true });
  }
}
