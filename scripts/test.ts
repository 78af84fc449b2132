/**
 * `npm test -- [KIND | PATH …] [--changed] [--where] [--shuffle] [options of Vitest]`: the whole suite, or what is asked for.
 * A KIND is one of unit, http, cli, browser, resilience, examples and gates; any other word is a part of a file's path.
 */
import { globSync, readFileSync } from 'node:fs';
import { parseCLI, startVitest } from 'vitest/node';
import { buildAll } from './lib/build.mjs';
import { isKind, type Kind, kindOf } from './lib/kinds.ts';

const TESTS = ['packages/*/src/**/*.test.{ts,tsx}', 'test/**/*.test.ts', 'scripts/**/*.test.ts'];
/** These test the sources; all others also what is built from them. */
const UNBUILT: readonly Kind[] = ['unit', 'http'];

const words = process.argv.slice(2);
if (flag('--where')) process.env.TONEROW_WHERE = '1';
if (flag('--shuffle')) words.push('--sequence.shuffle.files');
// the configuration looks for it there
process.argv = [...process.argv.slice(0, 2), ...words];

const { filter, options } = parseCLI(['vitest', 'run', ...words]);
const kinds = filter.filter(isKind);
const paths = filter.filter((word) => !isKind(word));
const chosen = globSync(TESTS)
  .map((file) => file.replaceAll('\\', '/'))
  .map((file) => ({ file, kind: kindOf(file, readFileSync(file, 'utf8')) }))
  .filter(({ file, kind }) => filter.length === 0 || kinds.includes(kind) || paths.some((part) => file.includes(part)));
if (chosen.some(({ kind }) => !UNBUILT.includes(kind))) await buildAll(process.execPath);
if (chosen.length > 0 && chosen.every(({ kind }) => kind === 'unit')) process.env.TONEROW_TESTS = 'unit';

// Vitest finds what was not found here, and says that there is nothing
const files = kinds.length === 0 ? paths : chosen.map(({ file }) => file);
const vitest = await startVitest(files, options);
await vitest.exit();

/** Takes a flag of ours out of the words. */
function flag(name: string): boolean {
  const at = words.indexOf(name);
  if (at !== -1) words.splice(at, 1);
  return at !== -1;
}
