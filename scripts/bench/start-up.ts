import path from 'node:path';
import { execaSync } from 'execa';
import type { Bench } from './bench.ts';
import { median, root, round } from './support.ts';

/** How long the terminal client takes to print something, against Node alone. */
export function startUp(bench: Bench): void {
  bench.say('start-up of the terminal client');
  const bin = path.join(root, 'packages/cli/bin/tonerow.cjs');
  const time = (args: string[]) => {
    const started = performance.now();
    execaSync(process.execPath, args, { stdio: 'ignore' });
    return performance.now() - started;
  };
  time([bin, '--version']);
  const runs = Array.from({ length: 31 }, () => [time([bin, '--version']), time(['-e', '0'])] as const);
  const [a, b] = [median(runs.map(([ours]) => ours)), median(runs.map(([, node]) => node))];
  bench.line({
    what: 'tonerow --version',
    ours: `${round(a, 0)} ms`,
    baseline: `${round(b, 0)} ms node -e 0`,
    ratio: a / b,
    atMost: 1.5,
  });
}
