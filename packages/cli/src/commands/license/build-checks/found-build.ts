import type { Dirent } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '#exit.ts';

const DEEPEST = 8;
const PROGRAM = /^license-check(\.exe)?$/;
const PLUGIN = /\.(so|dylib|dll|clap|vst3)$/;

export interface FoundBuild {
  /** The program that `tonerow plugin new` adds to a project. */
  program: string | undefined;
  /** Compiled plugins. */
  plugins: string[];
  /** As CMake calls it: `Release`. */
  buildType: string | undefined;
}

/** Finds the parts of a build that can be checked, in its folder or from one of its files. */
export async function findBuild(place: string): Promise<FoundBuild> {
  const info = await stat(place).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`${place} cannot be read (${error.code}).`);
  });
  const found: FoundBuild = { program: undefined, plugins: [], buildType: undefined };
  if (info.isFile()) {
    if (PROGRAM.test(path.basename(place))) found.program = path.resolve(place);
    else found.plugins.push(path.resolve(place));
  } else await look(path.resolve(place), found, 0);
  if (found.program === undefined && found.plugins.length === 0)
    throw new Failure(`${place} has no license-check and no plugin that was built. Build it first.`, 'nothing_built');
  return found;
}

async function look(folder: string, found: FoundBuild, depth: number): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (depth < DEEPEST && !/^(CMakeFiles|node_modules|\..*)$/.test(entry.name)) await look(file, found, depth + 1);
    } else if (entry.isFile()) await take(entry, file, found);
  }
}

async function take(entry: Dirent, file: string, found: FoundBuild): Promise<void> {
  if (PROGRAM.test(entry.name)) found.program ??= file;
  else if (entry.name === 'CMakeCache.txt')
    found.buildType ??= /^CMAKE_BUILD_TYPE:\w+=(.*)$/m.exec(await readFile(file, 'utf8'))?.[1];
  else if (PLUGIN.test(entry.name) || (/\/Contents\/MacOS\/[^/]+$/.test(file) && (await isProgram(file))))
    found.plugins.push(file);
}

async function isProgram(file: string): Promise<boolean> {
  const handle = await open(file);
  const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0).finally(() => handle.close());
  return ['cffaedfe', 'cafebabe', '7f454c46'].includes(buffer.toString('hex'));
}
