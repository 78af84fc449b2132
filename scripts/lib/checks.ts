/**
 * The checks of `npm run check` and test/gates/tools.test.ts: format, lint, types and dead code. Each remembers in
 * `.cache` what has passed, so that a second run looks at what is new.
 */
import { hash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';

export interface Outcome {
  passed: boolean;
  /** The output of the tool, for the person who has to fix it. */
  output: string;
}

export interface Check {
  name: string;
  run(): Promise<Outcome>;
}

const root = path.resolve(import.meta.dirname, '../..');
const BIOME = path.join(root, 'node_modules/@biomejs/biome');

/** The longest first: they run side by side. */
export const checks: Check[] = [
  typesOf('.'),
  { name: 'format and lint', run: () => formatAndLint(root) },
  typesOf('packages/web'),
  {
    name: 'dead code',
    run: () => tool('node_modules/knip/bin/knip.js', ['--no-progress', '--cache', '--cache-location', '.cache/knip']),
  },
  ...readdirSync(path.join(root, 'packages'))
    .map((name) => `packages/${name}`)
    .filter((folder) => folder !== 'packages/web' && existsSync(path.join(root, folder, 'tsconfig.json')))
    .map(typesOf),
];

/** One checker: several share no types, and each would work out those of the whole server. */
function typesOf(folder: string): Check {
  const remembered = `.cache/types/${folder === '.' ? 'root' : folder.replaceAll('/', '-')}.json`;
  const incremental = ['--incremental', '--tsBuildInfoFile', remembered];
  return {
    name: `types of ${folder}`,
    run: () => tool('node_modules/typescript/bin/tsc', ['--noEmit', '-p', folder, '--checkers', '1', ...incremental]),
  };
}

/** The SDK that the contract makes, unless it was made from the same before. */
export function generatedSdk(): Promise<Outcome> {
  const sources = ['package-lock.json', 'packages/sdk/openapi.json', 'packages/sdk/generate.ts'];
  const folders = ['packages/sdk/generator', 'packages/sdk/src/generated'];
  const inFolders = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`),
  );
  const all = [...sources, ...inFolders];
  return unlessPassed(root, 'sdk', all, all, () => tool('packages/sdk/generate.ts', ['--check']));
}

/**
 * Formats and lints what has changed since it passed. A finding depends on its own file and on the rules; but for cycles of
 * imports, and a new one goes through a file that has changed.
 */
export async function formatAndLint(folder: string): Promise<Outcome & { looked: number | 'all' }> {
  const { stdout } = await execa('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: folder,
  });
  const files = stdout.split('\0').filter((file) => file !== '' && existsSync(path.join(folder, file)));
  const rules = files.filter((file) =>
    /(^|\/)(biome\.json|package\.json|\.gitignore|\.editorconfig)$|\.grit$/.test(file),
  );
  let looked: number | 'all' = 0;
  const { version } = JSON.parse(await readFile(path.join(BIOME, 'package.json'), 'utf8')) as { version: string };
  const outcome = await unlessPassed(folder, 'biome', files, [version, ...rules], async (changed) => {
    // more than these is more than a command line should have
    looked = changed.length > 500 ? 'all' : changed.length;
    const these = looked === 'all' ? ['.'] : changed;
    const options = ['--colors=off', '--max-diagnostics=40', '--no-errors-on-unmatched', '--files-ignore-unknown=true'];
    return tool(path.join(BIOME, 'bin/biome'), ['ci', ...options, ...these], folder);
  });
  return { ...outcome, looked };
}

interface Remembered {
  rules: string;
  files: Record<string, string>;
}

/**
 * Runs a check on the files that are not as they were when it last passed, and not at all when all are. Of `rules`, those that
 * are files count with what is in them: when one differs, nothing is remembered.
 */
async function unlessPassed(
  folder: string,
  name: string,
  files: string[],
  rules: string[],
  run: (changed: string[]) => Promise<Outcome>,
): Promise<Outcome> {
  const place = path.join(folder, '.cache/checks', `${name}.json`);
  const hashes = await Promise.all(
    files.map(async (file) => [file, hash('sha256', await readFile(path.join(folder, file)))] as const),
  );
  const now: Remembered = { rules: '', files: Object.fromEntries(hashes) };
  now.rules = rules.map((each) => `${each} ${now.files[each] ?? ''}`).join('\n');
  const before = JSON.parse(await readFile(place, 'utf8').catch(() => '{"rules":""}')) as Remembered;
  const known = before.rules === now.rules ? before.files : undefined;
  const changed = files.filter((file) => known?.[file] !== now.files[file]);
  if (changed.length === 0 && known) return { passed: true, output: '' };
  const outcome = await run(changed);
  if (outcome.passed) {
    await mkdir(path.dirname(place), { recursive: true });
    // in one step: two of them may run at once
    await writeFile(`${place}.${process.pid}`, JSON.stringify(now));
    await rename(`${place}.${process.pid}`, place);
  }
  return outcome;
}

async function tool(script: string, args: string[], cwd = root): Promise<Outcome> {
  const { exitCode, all } = await execa(process.execPath, [path.resolve(root, script), ...args], {
    all: true,
    reject: false,
    cwd,
    env: { NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  return { passed: exitCode === 0, output: all };
}
