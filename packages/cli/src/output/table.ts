import Table from 'cli-table3';

export type Cell = string | number | boolean | null | undefined;

/** Columns for people. Nothing is coloured, so that a pipe gets plain text. */
export function table(head: string[], rows: Cell[][]): string {
  const plain = { head: [], border: [], 'padding-left': 0, 'padding-right': 2 };
  const none = '';
  const chars = Object.fromEntries(
    [
      'top',
      'top-mid',
      'top-left',
      'top-right',
      'bottom',
      'bottom-mid',
      'bottom-left',
      'bottom-right',
      'left',
      'left-mid',
      'mid',
      'mid-mid',
      'right',
      'right-mid',
      'middle',
    ].map((part) => [part, none]),
  );
  const out = new Table({ head, style: plain, chars });
  // a name of several lines must not look like several rows
  for (const row of rows) out.push(row.map((cell) => text(cell).replace(/[\n\t]+/g, ' ')));
  return `${out.toString().replace(/[ \t]+$/gm, '')}\n`;
}

/** Names and values below each other. */
export function list(pairs: [string, Cell][]): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${text(value)}\n`).join('');
}

function text(cell: Cell): string {
  if (cell === null || cell === undefined || cell === '') return '–';
  if (cell === true) return 'yes';
  if (cell === false) return 'no';
  // control characters of a name must not steer the terminal
  return String(cell).replace(/[^\P{Cc}\n\t]/gu, '');
}

export function day(moment: string | null | undefined): string | null {
  return moment ? moment.slice(0, 10) : null;
}

/** `1 serial`, `2 serials`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

export function money(amount: number | null | undefined): string | null {
  return amount === null || amount === undefined ? null : `$${amount.toFixed(2)}`;
}
