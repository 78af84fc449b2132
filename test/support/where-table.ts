import type { FileSpent, Spent } from './where.ts';

export interface Row {
  file: string;
  kind: string;
  spent: FileSpent;
}

const PARTS = ['import', 'server', 'browser', 'tests'] as const;

/** Shows where the time went, per kind and per file, the slowest first. */
export function whereTable(rows: readonly Row[]): string {
  const head = [...PARTS.flatMap((part) => [part, '']), 'all', '', 'files', ''];
  const units = [...PARTS, 'all'].flatMap(() => ['wall', 'proc']);
  const kinds = [...new Set(rows.map(({ kind }) => kind))].map((kind) => rows.filter((row) => row.kind === kind));
  const line = (of: readonly Row[], name: string) => [
    ...figures(of.map(({ spent }) => spent)),
    String(of.length),
    name,
  ];
  const byProcessor = (a: readonly Row[], b: readonly Row[]) => processor(b) - processor(a);
  return [
    'Seconds by the clock (wall) and of processors (proc): import with set-up, starts of servers and browsers, tests',
    table([
      head,
      [...units, '', ''],
      ...kinds.sort(byProcessor).map((of) => line(of, of[0]?.kind ?? '')),
      line(rows, 'all kinds'),
      [''],
      ...rows
        .map((row) => [row])
        .sort(byProcessor)
        .map((of) => line(of, of[0]?.file ?? '')),
    ]),
  ].join('\n');
}

const processor = (rows: readonly Row[]) =>
  rows.flatMap(({ spent }) => PARTS.map((part) => spent[part].processor)).reduce((a, b) => a + b, 0);

function figures(files: readonly FileSpent[]): string[] {
  const sum = (part: (typeof PARTS)[number], figure: keyof Spent) =>
    files.reduce((total, spent) => total + spent[part][figure], 0);
  const parts = PARTS.map((part) => [sum(part, 'wall'), sum(part, 'processor')] as const);
  const all = [parts.reduce((a, [wall]) => a + wall, 0), parts.reduce((a, [, used]) => a + used, 0)] as const;
  return [...parts, all].flatMap((pair) => pair.map((seconds) => seconds.toFixed(1)));
}

/** Columns of figures to the right, the last one to the left. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  return rows
    .map((row) => row.map((cell, at) => (at === widths.length - 1 ? cell : cell.padStart(widths[at] ?? 0))).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}
