import { styleText } from 'node:util';
import Table from 'cli-table3';
import { cutTo, fitWidths, mayBeCut, tableWidth, widthOf, widthOfAll } from './table-width.ts';
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

/** Columns that identify a row without its id. */
const NAMED = new Set(['NAME', 'LABEL', 'CODE', 'SERIAL', 'NUMBER', 'EMAIL', 'TAG']);

/**
 * A table printed in parts: a column is never narrower than in earlier parts. Names come before ids. On a terminal the columns of words are cut
 * to its width, and where that is not enough, ids are left out of rows that have a name.
 */
export class TableParts {
  #head: string[];
  /** The order in which the given columns are printed. */
  #order: number[];
  /** The longest cell of each column so far. */
  #longest: string[];
  /** Widths of the columns that were cut: as in the first part. */
  readonly #cut: (number | undefined)[] = [];
  #begun = false;

  constructor(head: string[]) {
    this.#order = [...head.keys()].sort((a, b) => Number(head[a] === 'ID') - Number(head[b] === 'ID'));
    this.#head = this.#order.map((at) => head[at] as string);
    this.#longest = this.#head.map(() => '');
  }

  /** The next rows; the first ones come with the head. */
  part(rows: Cell[][]): string {
    if (!this.#begun && this.#isTooWide(rows)) this.#dropIds();
    const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 2 };
    // colors are stripped on printing where they are not wanted
    const head = this.#head.map((name) => styleText('bold', name, { validateStream: false }));
    const out = new Table({ head, style, chars: NO_LINES });
    const texts = this.#textsOf(rows);
    this.#measure(texts);
    const fit = this.#fitting(texts);
    const widest = fit(this.#longest).map(
      (cell, at) => `${cell}${' '.repeat(Math.max(0, (this.#cut[at] ?? 0) - widthOf(cell)))}`,
    );
    out.push(widest, ...texts.map(fit));
    const [names, , ...lines] = out
      .toString()
      .replace(/[ \t]+$/gm, '')
      .split('\n');
    const printed = this.#begun ? lines : [names, ...lines];
    this.#begun = true;
    return printed.map((line) => `${line}\n`).join('');
  }

  /** Whether ids would go beyond the terminal, however much of the words is cut. */
  #isTooWide(rows: Cell[][]): boolean {
    const room = tableWidth();
    if (room === undefined || this.#head.at(-1) !== 'ID' || !this.#head.some((head) => NAMED.has(head))) return false;
    const texts = this.#textsOf(rows);
    this.#measure(texts);
    return widthOfAll(fitWidths(this.#columns(texts), room)) > room;
  }

  #dropIds(): void {
    this.#order = this.#order.slice(0, -1);
    this.#head = this.#head.slice(0, -1);
    this.#longest = this.#head.map(() => '');
  }

  /** A name of several lines must not look like several rows. */
  #textsOf(rows: Cell[][]): string[][] {
    return rows.map((row) => this.#order.map((at) => text(row[at]).replace(/[\n\t]+/g, ' ')));
  }

  #measure(texts: string[][]): void {
    for (const row of texts)
      row.forEach((cell, at) => {
        if (widthOf(cell) > widthOf(this.#longest[at] as string)) this.#longest[at] = cell;
      });
  }

  #columns(texts: string[][]) {
    return this.#head.map((head, at) => ({
      head,
      width: Math.max(head.length, widthOf(this.#longest[at] as string)),
      cut: mayBeCut(
        head,
        texts.map((row) => row[at] as string),
      ),
    }));
  }

  /** Cuts the cells of a row, where the table is wider than the terminal. */
  #fitting(texts: string[][]): (cells: string[]) => string[] {
    const room = tableWidth();
    if (room === undefined) return (cells) => cells;
    if (!this.#begun) {
      const columns = this.#columns(texts);
      fitWidths(columns, room).forEach((width, at) => {
        const column = columns[at] as (typeof columns)[number];
        this.#cut[at] = column.cut && width < column.width ? width : undefined;
      });
    }
    return (cells) => cells.map((cell, at) => cutTo(cell, this.#cut[at] ?? Number.POSITIVE_INFINITY));
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

/** The note below a list that has only the first of its rows. */
export const cutNote = (which: string, rows: readonly unknown[], total: number, what: string): string =>
  total > rows.length ? `The ${which} ${rows.length} of ${total} ${what}.\n` : '';
