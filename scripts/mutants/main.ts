/**
 * `npm run mutants [TEXT | FROM-TO]`: plants each fault in faults/ (or those whose description has the text, or whose numbers are in
 * the range, so that two runs at once share them) in a copy of the sources, runs the tests that should notice, and prints what lived.
 * Exits 1 when anything did.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { kindOf } from '../lib/kinds.ts';
import { mutants } from './list.ts';

const root = path.resolve(import.meta.dirname, '../..');
const [text = ''] = process.argv.slice(2);
const [, from, to] = /^(\d+)-(\d+)$/.exec(text) ?? [];
const chosen = from ? mutants.slice(Number(from) - 1, Number(to)) : mutants.filter(({ fault }) => fault.includes(text));
const copy = await mkdtemp(path.join(tmpdir(), 'tonerow-mutants-'));
const skipped = /(^|\/)(node_modules|dist|\.git|\.data|\.cache)$/;

/** The packages of others are shared. Ours are the copy's own: through links to the root, the tests would load sound sources. */
async function linkPackages(): Promise<void> {
  const [theirs, own] = [path.join(root, 'node_modules'), path.join(copy, 'node_modules')];
  await mkdir(path.join(own, '@tonerow'), { recursive: true });
  for (const name of await readdir(theirs))
    if (name !== '@tonerow') await symlink(path.join(theirs, name), path.join(own, name));
  for (const name of await readdir(path.join(theirs, '@tonerow')))
    await symlink(await readlink(path.join(theirs, '@tonerow', name)), path.join(own, '@tonerow', name));
}

/** Those need no database, which takes longer than they do. */
async function areUnits(tests: string[]): Promise<boolean> {
  const kinds = await Promise.all(
    tests.map(async (file) => kindOf(file, await readFile(path.join(root, file), 'utf8'))),
  );
  return kinds.every((kind) => kind === 'unit');
}

async function survives({ file, from, to, tests }: (typeof mutants)[number]): Promise<boolean> {
  const place = path.join(copy, file);
  const sound = await readFile(place, 'utf8');
  if (sound.split(from).length !== 2)
    throw new Error(`${file} has this ${sound.split(from).length - 1} times: ${from}`);
  await writeFile(
    place,
    sound.replace(from, () => to),
  );
  try {
    const { exitCode } = await execa(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', ...tests],
      { cwd: copy, reject: false, all: true, env: (await areUnits(tests)) ? { TONEROW_TESTS: 'unit' } : {} },
    );
    return exitCode === 0;
  } finally {
    await writeFile(place, sound);
  }
}

try {
  await cp(root, copy, { recursive: true, filter: (source) => !skipped.test(path.relative(root, source)) });
  await linkPackages();
  let lived = 0;
  for (const mutant of chosen) {
    const alive = await survives(mutant);
    if (alive) lived += 1;
    process.stdout.write(`${alive ? 'LIVED ' : 'killed'}  ${mutants.indexOf(mutant) + 1} ${mutant.fault}\n`);
  }
  process.stdout.write(`\n${chosen.length - lived} of ${chosen.length} killed\n`);
  process.exitCode = lived === 0 ? 0 : 1;
} finally {
  await rm(copy, { recursive: true, force: true });
}
