/** `npm run check`: format, lint, types and dead code, side by side. Prints what fails and nothing else. */
import { checks } from './lib/checks.ts';

const started = performance.now();
const results = await Promise.all(
  checks.map(async ({ name, run }) => {
    const { passed, output } = await run();
    if (!passed) process.stdout.write(`\n${name}:\n${output}\n`);
    return passed;
  }),
);
const failed = results.filter((passed) => !passed).length;
const seconds = ((performance.now() - started) / 1000).toFixed(1);
process.stdout.write(`${results.length - failed} checks passed, ${failed} failed in ${seconds} s\n`);
process.exitCode = failed === 0 ? 0 : 1;
