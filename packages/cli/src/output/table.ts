import { styleText } from 'node:util';
import Table from 'cli-table3';
import { isoIn } from './zone.ts';

export type Cell = string | number | boolean | null | undefined;

const NO_LINES = Object.fromEntries(
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
  ].map((part) => [part, '']),
);

/** A table printed in parts: a column is never narrower than in earlier parts. */
export class TableParts {
  readonly #head: string[];
  /** The longest cell of each column so far. */
  readonly #longest: string[] = [];
  #begun = false;

  constructor(head: string[]) {
    // colors are stripped on printing where they are not wanted
    this.#head = head.map((name) => styleText('bold', name, { validateStream: false }));
  }

  /** The next rows; the first ones come with the head. */
  part(rows: Cell[][]): string {
    const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 2 };
    const out = new Table({ head: this.#head, style, chars: NO_LINES });
    // a name of several lines must not look like several rows
    const texts = rows.map((row) => row.map((cell) => text(cell).replace(/[\n\t]+/g, ' ')));
    for (const row of texts)
      row.forEach((cell, at) => {
        if (cell.length > (this.#longest[at]?.length ?? 0)) this.#longest[at] = cell;
      });
    out.push(
      this.#head.map((_, at) => this.#longest[at] ?? ''),
      ...texts,
    );
    const [head, , ...lines] = out
      .toString()
      .replace(/[ \t]+$/gm, '')
      .split('\n');
    const printed = this.#begun ? lines : [head, ...lines];
    this.#begun = true;
    return printed.map((line) => `${line}\n`).join('');
  }
}

/** The same for a few rows. */
export function table(head: string[], rows: Cell[][]): string {
  return new TableParts(head).part(rows);
}

/** Names and values below each other. */
export function list(pairs: [string, Cell][]): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${text(value)}\n`).join('');
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

function text(cell: Cell): string {
  if (cell === null || cell === undefined || cell === '') return '–';
  if (cell === true) return 'yes';
  if (cell === false) return 'no';
  if (typeof cell === 'string' && MOMENT.test(cell)) return isoIn(cell);
  // control characters in a name must not reach the terminal
  return String(cell).replace(/[^\P{Cc}\n\t]/gu, '');
}

/** `1 serial`, `2 serials`; `2 deliveries` with a plural of its own. */
export function counted(count: number, what: string, plural = `${what}s`): string {
  return `${count} ${count === 1 ? what : plural}`;
}

/** The API has prices of plans in cents, all others in dollars. */
export function toDollars(cents: number): number {
  return cents / 100;
}

export function money(amount: number | null | undefined): string | null {
  if (amount === null || amount === undefined) return null;
  return `${amount < 0 ? '-' : ''}$${Math.abs(amount).toFixed(2)}`;
}

/** What is printed below a list that has only the first of its rows. */
export const cutNote = (which: string, rows: readonly unknown[], total: number, what: string): string =>
  total > rows.length ? `The ${which} ${rows.length} of ${total} ${what}.\n` : '';
