import { readFileSync } from 'node:fs';
import path from 'node:path';
import { execaSync } from 'execa';
import { expect, it } from 'vitest';

/** A folder with more sources than this wants rooms: folders in it, named by what happens in them. */
const MOST = 20;

/** Folders that stay one list, and why. */
const LISTS: Record<string, string> = {
  migrations: 'one after another, in the order of their dates; those of a release are never renamed',
  'packages/plugin/core/tonerow': 'what plugins include: #include <tonerow/NAME.h>',
  'test/support': 'what tests share, each found by the name that tests import',
};

const isSource = (file: string) =>
  /\.(?:[cm]?[jt]s|tsx|c|cpp|h|mm)$/.test(file) && !/(?:\.test\.tsx?|-tests\.cpp)$/.test(file);

/** Commands of a noun are one list, as they are typed: `tonerow serials revoke` is `serials/revoke.ts`. What they share is not. */
function isCommand(file: string, read: (file: string) => string): boolean {
  const [, noun, verb] = /^packages\/cli\/src\/commands\/([^/]+)\/([^/]+)\.ts$/.exec(file) ?? [];
  return verb !== undefined && read(file).includes(`path: '${noun} ${verb}',`);
}

/** The folders with too many sources, with how many they have. */
function crowded(files: readonly string[], read: (file: string) => string): Record<string, number> {
  const counted = files.filter((file) => isSource(file) && !isCommand(file, read));
  const folders = Object.entries(Object.groupBy(counted, (file) => path.posix.dirname(file)));
  return Object.fromEntries(
    folders.map(([folder, inIt = []]) => [folder, inIt.length] as const).filter(([, n]) => n > MOST),
  );
}

it('a folder with more than 20 sources has rooms, unless it is a list with a reason', () => {
  const files = execaSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
    lines: true,
  });
  const deleted = new Set(execaSync('git', ['ls-files', '--deleted'], { lines: true }).stdout);
  const here = files.stdout.filter((file) => !deleted.has(file));
  expect(here.filter(isSource).length).toBeGreaterThan(2000);
  expect(Object.keys(crowded(here, (file) => readFileSync(file, 'utf8'))).sort()).toEqual(Object.keys(LISTS).sort());
});

it('finds a folder that has one too many, without its tests and the commands that are typed', () => {
  const many = (folder: string, count: number, end: string) =>
    Array.from({ length: count }, (_, n) => `${folder}/x${n}${end}`);
  const noun = 'packages/cli/src/commands/serials';
  const command = (file: string) => `path: 'serials ${path.basename(file, '.ts')}',`;
  const one = 'packages/web/src/features/keys';
  expect(crowded([...many(one, MOST, '.tsx'), ...many(one, 9, '.test.ts'), `${one}/room/x.ts`], () => '')).toEqual({});
  expect(crowded(many(one, MOST + 1, '.tsx'), () => '')).toEqual({ [one]: MOST + 1 });
  expect(crowded(many(noun, MOST + 9, '.ts'), command)).toEqual({});
  expect(crowded(many(noun, MOST + 9, '.ts'), () => "path: 'serials other',")).toEqual({ [noun]: MOST + 9 });
});
