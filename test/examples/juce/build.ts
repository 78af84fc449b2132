import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { compiler, hasLibrary, strict } from '../cpp-support.ts';
import { EXAMPLES, start } from '../support.ts';

/** Builds programs with the real JUCE, which stays where it is installed: only objects made of it are kept, in .cache. */

const HERE = path.resolve('test/examples/juce');
const CACHE = path.resolve('.cache/juce');
/** The modules that the examples need. All of them work without a display. */
const MODULES = ['core', 'events', 'data_structures', 'cryptography', 'product_unlocking'];
const folders = [process.env.TONEROW_JUCE ?? '/usr/share/juce/modules'];
const folder = folders.find((each) => existsSync(path.join(each, 'juce_core/juce_core.h')));

const libraries = (await hasLibrary('curl/curl.h', '-lcurl')) && (await hasLibrary('openssl/evp.h', '-lcrypto'));
/** Why programs with JUCE cannot be built here; empty when they can. */
export const NO_JUCE =
  process.platform !== 'linux'
    ? 'they need Linux'
    : !compiler
      ? 'there is neither g++ nor clang++'
      : !folder
        ? 'JUCE is not installed (see CONTRIBUTING.md)'
        : libraries
          ? ''
          : 'libcurl or OpenSSL is not installed (see CONTRIBUTING.md)';

const definitions = [
  'DEBUG=1',
  'JUCE_GLOBAL_MODULE_SETTINGS_INCLUDED=1',
  'JUCE_STANDALONE_APPLICATION=1',
  'JUCE_USE_CURL=1',
  'JUCE_LOAD_CURL_SYMBOLS_LAZILY=0',
  'JUCE_MODAL_LOOPS_PERMITTED=1',
  'JUCE_CHECK_MEMORY_LEAKS=1',
  ...MODULES.map((name) => `JUCE_MODULE_AVAILABLE_juce_${name}=1`),
];
const flags = ['-std=c++17', '-O0', '-pthread', ...definitions.map((each) => `-D${each}`), '-isystem', folder ?? ''];
const links = ['-lcurl', '-lcrypto', '-lz', '-ldl', '-lrt', '-pthread'];

/** Placeholders that a program with `valueOf` looks up when it runs, so that it is built once for all tests. */
export const placeholders = Object.fromEntries(
  ['TONEROW_URL', 'PLUGIN_KEY', 'PRODUCT_ID', 'PRODUCT_NAME', 'JUCE_PRODUCT_ID', 'DEVELOPER_ID', 'RSA_PUBLIC_KEY'].map(
    (name) => [name, `" + valueOf ("${name}") + "`],
  ),
);

interface Program {
  /** Files in this folder, in examples/juce, or absolute paths. */
  sources: string[];
  defines?: string[];
  /** Folders beside these two. */
  includes?: string[];
  /** Files by their names: with placeholders filled in, they take the place of an example's. */
  filled?: Record<string, string>;
}

/**
 * Builds a program, or answers the one that was built from the same sources before.
 * @throws with the compiler's output; a warning in our own files is an error
 */
export async function build(
  name: string,
  { sources, defines = [], includes: more = [], filled = {} }: Program,
): Promise<string> {
  const placeOf = (file: string) => (existsSync(path.join(HERE, file)) ? HERE : `${EXAMPLES}/juce`);
  const files = sources.filter((each) => !(each in filled)).map((each) => path.resolve(placeOf(each), each));
  const juce = await modules();
  const all = [HERE, `${EXAMPLES}/juce`, ...more].flatMap((each) =>
    readdirSync(each, { recursive: true, encoding: 'utf8' }).map((file) => path.join(each, file)),
  );
  const read = all.filter((file) => /\.(h|cpp)$/.test(file)).map((file) => readFileSync(file, 'utf8'));
  const made = path.join(CACHE, `${name}-${digest([juce, ...files, ...defines, ...Object.values(filled), ...read])}`);
  await once(made, async (scratch) => {
    for (const [file, text] of Object.entries(filled)) await writeFile(path.join(scratch, file), text);
    const includes = [scratch, HERE, `${EXAMPLES}/juce`, ...more].map((each) => `-I${each}`);
    const all = [
      ...files,
      ...Object.keys(filled)
        .filter(isSource)
        .map((each) => path.join(scratch, each)),
    ];
    const objects = MODULES.map((each) => path.join(juce, `${each}.o`));
    const own = [...strict, ...defines.map((each) => `-D${each}`), ...includes];
    await compile([...flags, ...own, ...all, ...objects, ...links, '-o', path.join(scratch, 'made')]);
    // removes programs that were built from older sources
    for (const old of readdirSync(CACHE)) if (isProgram(name, old)) await rm(path.join(CACHE, old));
  });
  return made;
}

function isProgram(name: string, file: string): boolean {
  return file.startsWith(`${name}-`) && /^[0-9a-f]{16}$/.test(file.slice(name.length + 1));
}

/** The folder with JUCE's objects, compiled once for each version of JUCE and of the compiler. */
async function modules(): Promise<string> {
  const version = /version:\s+(\S+)/.exec(
    readFileSync(path.join(folder as string, 'juce_core/juce_core.h'), 'utf8'),
  )?.[1];
  const { out } = await start(compiler as string, ['--version']);
  const made = path.join(CACHE, `modules-${version}-${digest([out, ...flags])}`);
  await once(made, async (scratch) => {
    const objects = path.join(scratch, 'made');
    await mkdir(objects);
    const one = (name: string) =>
      compile([...flags, '-w', '-c', `${folder}/juce_${name}/juce_${name}.cpp`, '-o', `${objects}/${name}.o`]);
    // the first takes as long as all others
    const [first, ...others] = MODULES as [string, ...string[]];
    await Promise.all([one(first), others.reduce((before, name) => before.then(() => one(name)), Promise.resolve())]);
  });
  return made;
}

async function compile(args: string[]): Promise<void> {
  const { code, err } = await start(compiler as string, args);
  if (code !== 0) throw new Error(err || `the compiler ended with ${code}`);
}

/** Makes a file or a folder that is not there, in one process at a time: `make` leaves it as `made` in its own folder. */
async function once(made: string, make: (scratch: string) => Promise<void>): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const lock = `${made}.lock`;
  while (!existsSync(made)) {
    const held = await open(lock, 'wx').catch(() => null);
    if (held) {
      const scratch = await mkdtemp(path.join(CACHE, 'scratch-'));
      try {
        await held.writeFile(String(process.pid));
        if (!existsSync(made)) {
          await make(scratch);
          await rename(path.join(scratch, 'made'), made);
        }
      } finally {
        await held.close();
        await rm(lock, { force: true });
        await rm(scratch, { recursive: true, force: true });
      }
    } else if (await isLeft(lock)) await rm(lock, { force: true });
    else await wait(200);
  }
}

/** Whether a lock's process is gone. */
async function isLeft(lock: string): Promise<boolean> {
  const pid = Number(await readFile(lock, 'utf8').catch(() => ''));
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

function isSource(file: string): boolean {
  return file.endsWith('.cpp');
}

function digest(parts: string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16);
}
