/**
 * `npm run soak [FACTOR]`: the tests with kills and lost connections (those that import test/support/soak.ts) with so many times as
 * many of them as `npm test` has, one file after the other. Without a FACTOR it is 100, which takes hours.
 */
import { glob, readFile } from 'node:fs/promises';
import { execa } from 'execa';

const [factor = '100'] = process.argv.slice(2);
if (!/^[1-9]\d*$/.test(factor)) {
  process.stderr.write('usage: npm run soak [FACTOR]   (how many times as much as in npm test, such as 100)\n');
  process.exit(64);
}

const files: string[] = [];
for await (const file of glob(['test/**/*.test.ts', 'packages/*/src/**/*.test.ts'], { exclude: ['**/node_modules'] }))
  if (/support\/soak\.ts'/.test(await readFile(file, 'utf8'))) files.push(file);
const { exitCode } = await execa('vitest', ['run', '--no-file-parallelism', ...files.sort()], {
  stdio: 'inherit',
  reject: false,
  preferLocal: true,
  env: { TONEROW_SOAK: factor },
});
process.exitCode = exitCode ?? 1;
