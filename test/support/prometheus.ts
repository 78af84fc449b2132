import { execaSync } from 'execa';

/** Samples of a metrics page: `name{labels}` → value. */
export function samplesOf(page: string): Map<string, number> {
  const lines = page.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

/** The sum of all samples of a metric whose labels contain these. */
export function sumOf(page: string, name: string, labels: Record<string, string> = {}): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  let sum = 0;
  for (const [sample, value] of samplesOf(page)) {
    const [own = '', rest = ''] = sample.split('{', 2);
    if (own === name && wanted.every((pair) => rest.includes(pair))) sum += value;
  }
  return sum;
}

/** The output of Prometheus' own linter for a page; null where it is not installed. */
export function promtool(page: string): string | null {
  const run = execaSync('promtool', ['check', 'metrics'], { input: page, reject: false });
  if (run.code === 'ENOENT') {
    process.stderr.write('skipped: the check of figures by promtool, which is not installed (Debian: prometheus)\n');
    return null;
  }
  return run.exitCode === 0 ? '' : `${run.stdout}${run.stderr}`;
}
