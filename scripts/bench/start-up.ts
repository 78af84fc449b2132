import path from 'node:path';
import { execaSync } from 'execa';
import type { Bench } from './bench.ts';
import { median, root, round } from './support.ts';

/** How long the terminal client takes to print something, against Node alone. */
export function startUp(bench: Bench): void {
  bench.say('start-up of the terminal client');
  const bin = path.join(root, 'packages/cli/bin/tonerow.cjs');
  const env = { TONEROW_URL: bench.server.url, TONEROW_TOKEN: bench.token, XDG_CONFIG_HOME: bench.folder };
  const time = (args: string[]) => {
    const started = performance.now();
    execaSync(process.execPath, args, { stdio: 'ignore', env });
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
  for (const [line, below] of [
    ['help', 100],
    ['products list --json', 250],
  ] as const) {
    const took = median(Array.from({ length: 31 }, () => time([bin, ...line.split(' ')])));
    bench.line({
      what: `tonerow ${line}`,
      ours: `${round(took, 0)} ms`,
      baseline: `${round(b, 0)} ms node -e 0`,
      ratio: took,
      below,
      unit: ' ms',
    });
  }
}
