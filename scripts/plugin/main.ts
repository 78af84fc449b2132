/**
 * `npm run test:plugin [NAME…]`: builds the plugin's C++ (packages/plugin) with every compiler, library and sanitizer that is
 * here, and runs its tests. What is missing is skipped, with a line. A NAME runs the builds with that word in their name.
 */
import { builds, notRun } from './builds.ts';

const names = process.argv.slice(2);
const chosen = builds.filter(({ name }) => names.length === 0 || names.some((each) => name.includes(each)));
if (chosen.length === 0) {
  process.stderr.write(`usage: npm run test:plugin [NAME…]   (${builds.map(({ name }) => name).join(', ')})\n`);
  process.exit(64);
}

const failed: string[] = [];
for (const { name, run } of chosen) {
  const begin = performance.now();
  const { ok, output } = await run();
  const seconds = ((performance.now() - begin) / 1000).toFixed(0);
  if (ok === null) process.stdout.write(`skipped: ${name}: ${output}\n`);
  else if (ok) process.stdout.write(`passed: ${name} (${seconds} s)\n`);
  else {
    failed.push(name);
    process.stdout.write(`${output}\nFAILED: ${name}\n`);
  }
}
for (const what of notRun) process.stdout.write(`not run: ${what}\n`);
process.stdout.write(failed.length === 0 ? 'the plugin: all passed\n' : `the plugin: failed: ${failed.join(', ')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
