import { LRUCache } from 'lru-cache';
import { type CsvFile, type CsvRecord, cellText, missingColumns } from '#platform/csv/read.ts';
import { AppError } from '#platform/errors.ts';
import type { Cents } from '#platform/money.ts';
import { isoIn } from '#platform/time/days.ts';
import { CellError } from '../kinds/cell-error.ts';
import type { ImportKind } from '../kinds.ts';
import { cents } from './amounts.ts';
import { refuseDamage } from './damage.ts';
import { askedColumns, type Column, columnsOf, exactColumns, exportedAs, requiredOf } from './fields.ts';
import { moment } from './moments.ts';
import type { ColumnReader } from './reading.ts';

/** The places of columns in a file, from 0. */
export type Places = ReadonlyMap<Column, number>;

/** The content of a file in any format. */
export type Rows = Pick<CsvFile, 'head' | 'records'>;

interface Options {
  file: Rows;
  places: Places;
  reader: ColumnReader;
  /** The account's time zone: a time without an offset is on its clock. */
  timeZone: string;
  /** The value of a column in every line, where the file has no such column. */
  values?: ReadonlyMap<Column, string>;
  /** Products as the file calls them, in lower case, and as they are called here. */
  products?: ReadonlyMap<string, string>;
}

/** The lines of a file as an import reads them: by the meaning of its columns, whatever the file calls them and however it writes. */
export class SourceTable {
  readonly #file: Rows;
  readonly #places: Places;
  readonly #reader: ColumnReader;
  readonly #timeZone: string;
  readonly #values: ReadonlyMap<Column, string>;
  readonly #products: ReadonlyMap<string, string>;
  /** Files repeat their dates. */
  readonly #moments = new LRUCache<string, Date>({ max: 10_000 });

  constructor({ file, places, reader, timeZone, values = new Map(), products = new Map() }: Options) {
    this.#file = file;
    this.#places = places;
    this.#reader = reader;
    this.#timeZone = timeZone;
    this.#values = values;
    this.#products = products;
  }

  get records(): AsyncIterable<CsvRecord> {
    return this.#file.records;
  }

  /** @throws {CellError} when a line has more than the head has columns for: one of its commas separates nothing. */
  check({ cells }: CsvRecord): void {
    const { length } = this.#file.head;
    if (cells.length <= length) return;
    const beyond = cells.slice(length).findIndex((cell) => cell.trim() !== '');
    if (beyond < 0) return;
    throw new CellError(
      `The line has ${length + beyond + 1} cells, and the first line only ${length}. Is a quotation mark missing around one of them?`,
    );
  }

  /** As it is in the file. */
  raw(record: CsvRecord, column: Column): string {
    const place = this.#places.get(column);
    return place === undefined ? (this.#values.get(column) ?? '') : cellText(record.cells[place]);
  }

  /** @throws {CellError} when a spreadsheet damaged it */
  cell(record: CsvRecord, column: Column): string {
    const text = this.raw(record, column);
    if (text === '') return this.#partOfName(record, column);
    const exact = exactColumns.has(column) && !(text.startsWith('=') && this.#isEscaped(record, column));
    refuseDamage(text, column, exact);
    if (column === 'Product' && this.#products.size > 0) return this.#products.get(text.toLowerCase()) ?? text;
    return text;
  }

  /** A text that only looks like a formula: our own files have an apostrophe before it. */
  #isEscaped({ cells }: CsvRecord, column: Column): boolean {
    const place = this.#places.get(column);
    return place !== undefined && (cells[place] ?? '').trimStart().startsWith("'");
  }

  /** First and last name of a column that has both: the last word is the last name. */
  #partOfName(record: CsvRecord, column: Column): string {
    if ((column !== 'First Name' && column !== 'Last Name') || this.#places.has(column)) return '';
    const whole = this.raw(record, 'Full Name');
    const [, first, last] = /^(.*\S)\s+(\S+)$/s.exec(whole) ?? [];
    if (last === undefined) return column === 'First Name' ? whole : '';
    return (column === 'First Name' ? first : last) ?? '';
  }

  /** @throws {CellError} @throws {ReadAgain} @throws {UnclearColumn} */
  amount(record: CsvRecord, column: Column): Cents | null {
    const text = this.cell(record, column);
    return text === '' ? null : cents(text, column, this.#reader.decimalOf(column, text));
  }

  /** @throws {CellError} @throws {ReadAgain} @throws {UnclearColumn} */
  moment(record: CsvRecord, column: Column, edge: 'start' | 'end'): Date | null {
    const text = this.cell(record, column);
    if (text === '') return null;
    const order = this.#reader.dayOrderOf(column, text);
    const key = `${edge} ${order} ${text}`;
    const known = this.#moments.get(key);
    if (known) return known;
    const read = moment(text, { column, edge, timeZone: this.#timeZone, order });
    if (read) this.#moments.set(key, read);
    return read;
  }

  /** When a license ends, with the day on the account's clock; null for one that never does. */
  licenseEnd(record: CsvRecord): { at: Date; day: string } | null {
    if (NEVER.test(this.raw(record, 'License Ends'))) return null;
    const at = this.moment(record, 'License Ends', 'end');
    return at && { at, day: isoIn(at, this.#timeZone).slice(0, 10) };
  }
}

/** How systems write that a license has no end. */
const NEVER = /^(?:0|-|lifetime|never|none|no|null|unlimited|perpetual|n\/a|0000-00-00(?: 00:00:00)?)$/i;

const MOST_NAMED = 500;

/** Columns by their heads, in any order and case; and the heads of those that nothing is done with. */
export interface Heads {
  places: Places;
  unused: string[];
}

/**
 * Finds the columns of a file by the names that this kind of import has for them.
 * @throws {AppError} csv_unusable when one is missing, or two have the name of one that is used
 */
export function headsOf(head: readonly string[], kind: ImportKind): Heads {
  const readable = columnsOf[kind].filter((column) => !askedColumns.has(column));
  const known = new Map<string, Column>(readable.map((column) => [column.toLowerCase(), column]));
  for (const [name, column] of Object.entries(exportedAs[kind])) known.set(name, column);
  const places = new Map<Column, number>();
  const unused: string[] = [];
  for (const [place, name] of head.entries()) {
    const column = known.get(name.toLowerCase());
    if (column === undefined) {
      if (unused.length < MOST_NAMED) unused.push(headName(name, place));
    } else if (places.has(column)) {
      throw new AppError(
        'csv_unusable',
        `The file has two columns for ${column}: "${head[places.get(column) as number]}" and "${name}". Rename or remove one of them.`,
      );
    } else places.set(column, place);
  }
  const missing = requiredOf[kind].filter((column) => !places.has(column));
  if (missing.length > 0) throw new AppError('csv_unusable', missingColumns(missing, head));
  return { places, unused };
}

/** The name of a column. */
export function headName(name: string, place: number): string {
  return name === '' ? `Column ${place + 1}` : name.slice(0, 100);
}
