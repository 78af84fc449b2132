/**
 * `npm test -- [KIND | PATH …] [--changed[=COMMIT]] [--where] [--shuffle] [--partitions[=N]] [options of Vitest]`: the whole suite, or what is asked for.
 * A KIND is one of unit, http, cli, browser, resilience, examples and gates; any other word is a part of a file's path.
 * `--partitions` gives the tables of every database 4 (or N) partitions first, as `tonerow-server partition` does.
 * `--citus` (`npm run test:citus`) runs the HTTP tests and a journey of all three sides, or what is asked for, on the Citus cluster whose
 * coordinator TONEROW_CITUS names: an administrator's address of a database in which the workers are registered. See scripts/citus/.
 * The whole suite draws no screenshots, which took a minute of it, unless TONEROW_TEST_SCREENSHOTS is 1; all others do.
 * `--changed` takes what the working tree's changes since the last commit (or COMMIT) can have broken.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseCLI, startVitest } from 'vitest/node';
import { buildAll } from './lib/build.mjs';
import { changedTests } from './lib/changed.ts';
import { isKind, type Kind, kindOf, testGlobs } from './lib/kinds.ts';

/** These test the sources; all others also what is built from them. */
const UNBUILT: readonly Kind[] = ['unit', 'http', 'gates'];

/** A developer's, a plugin's, a customer's and a reseller's way through the product, each from a terminal. */
const JOURNEYS = [
  'test/cli/journey.test.ts',
  'test/cli/plugin-side.test.ts',
  'test/cli/musician-side.test.ts',
  'test/cli/reseller-month.test.ts',
];

/** These read the plans of one PostgreSQL, cut its tables in pieces, or have a stand-in for a cluster. */
const OF_ONE_POSTGRES =
  /\/src\/(?:partition|distribute)\/|\/db\/citus\/|\/(?:draws|imports|delivery|reseller-sales)\/plans\.test|-plans\.test|\/(?:partitions|seat-finder)\.test/;

const words = process.argv.slice(2);
if (flag('--where') !== null) process.env.TONEROW_WHERE = '1';
if (flag('--shuffle') !== null) words.push('--sequence.shuffle.files');
const partitions = flag('--partitions');
if (partitions !== null) process.env.TONEROW_TEST_PARTITIONS = partitions || '4';
const isCluster = flag('--citus') !== null;
if (isCluster) onCluster();
const since = flag('--changed');
if (words.every((word) => word.startsWith('-')) && since === null) process.env.TONEROW_TEST_SCREENSHOTS ??= '0';
// the configuration looks for it there
process.argv = [...process.argv.slice(0, 2), ...words];

const { filter, options } = parseCLI(['vitest', 'run', ...words]);
const chosen = await choose(filter);
if (chosen.length > 0 && chosen.every(({ kind }) => kind === 'unit')) process.env.TONEROW_TESTS = 'unit';
if (chosen.some(({ kind }) => !UNBUILT.includes(kind))) await buildAll(process.execPath);

if (since !== null && chosen.length === 0)
  process.stdout.write('Nothing has changed.\n\n0 passed, 0 failed, 0 skipped\n');
else {
  // a filter by path is left to Vitest: it finds the rest, or reports that there is nothing
  const isNamed = since !== null || isCluster || filter.some(isKind);
  const vitest = await startVitest(isNamed ? chosen.map(({ file }) => file) : filter, options);
  await vitest.exit();
}

async function choose(wanted: string[]): Promise<{ file: string; kind: Kind }[]> {
  const kinds = wanted.filter(isKind);
  const paths = wanted.filter((word) => !isKind(word));
  const changed = since === null ? null : await changedTests(path.resolve('.'), since || 'HEAD');
  const files = globSync(testGlobs)
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => changed?.has(file) ?? true)
    .map((file) => ({ file, kind: kindOf(file, readFileSync(file, 'utf8')) }))
    .filter(
      ({ file, kind }) => wanted.length === 0 || kinds.includes(kind) || paths.some((part) => file.includes(part)),
    )
    .filter(({ file }) => !isCluster || !OF_ONE_POSTGRES.test(file));
  for (const [why, count] of counted(files.map(({ file }) => changed?.get(file) ?? '')))
    if (changed) process.stdout.write(`${String(count).padStart(4)} files of tests for ${why}\n`);
  return files;
}

function counted(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** All sides of the product, over HTTP and from a terminal. */
function onCluster(): void {
  if (!process.env.TONEROW_CITUS) {
    process.stdout.write('Nothing was tested: TONEROW_CITUS names no coordinator of a Citus cluster.\n');
    process.exit(0);
  }
  if (words.every((word) => word.startsWith('-'))) words.push('http', ...JOURNEYS);
}

/** Takes a flag of ours out of the words. Its value, '' without one, null when it is not there. */
function flag(name: string): string | null {
  const at = words.findIndex((word) => word === name || word.startsWith(`${name}=`));
  if (at === -1) return null;
  const [word = ''] = words.splice(at, 1);
  return word.slice(name.length + 1);
}
