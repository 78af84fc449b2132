import type { Readable } from 'node:stream';
import { CsvError, type Info, type Parser, parse } from 'csv-parse';
import { AppError } from '../errors.ts';
import {
  type Dialect,
  delimiterNames,
  delimiterOf,
  type Encoding,
  isBinary,
  markedEncoding,
  SAMPLE,
  separatorLine,
} from './dialect.ts';

/** Longer than any real record: a notes field of 2,000 characters and much else fit many times. */
const MAX_RECORD = 64 * 1024;
const RISKY_ESCAPED = /^'[=+\-@\t\r]/;
/** How spreadsheets are made to leave a text alone. */
const AS_TEXT = /^="(.*)"$/s;

export interface CsvRecord {
  /** Where the record begins, counted from 1. */
  line: number;
  cells: readonly string[];
}

/** A file of lines, by the places of its columns. Rows without anything are left out. */
export interface CsvFile {
  dialect: Dialect;
  /** The cells of its first row, trimmed. */
  head: readonly string[];
  records: AsyncIterable<CsvRecord>;
}

export interface CsvTable {
  dialect: Dialect;
  head: readonly string[];
  /** The cell of a column, trimmed; '' where the file has no such column or the record ends before it. */
  cell(record: CsvRecord, column: string): string;
  /** How many cells the header has. */
  width: number;
  records: AsyncIterable<CsvRecord>;
}

/**
 * Reads a CSV of any length: UTF-8, UTF-16 or, on demand, Windows-1252; any mix of line ends, quoted line breaks; comma, semicolon,
 * tab or pipe, which `sep=` may name. Holds no more than one record and what the stream buffers.
 * @param given what is known of it already; everything else is found out.
 * @throws {AppError} csv_unusable, with the line, for what cannot be read as CSV at all.
 */
export async function openCsv(source: Readable, given: Partial<Dialect> = {}): Promise<CsvFile> {
  const { encoding, bytes } = await encodingOf(source, given.encoding);
  const text = decoded(bytes, encoding)[Symbol.asyncIterator]();
  let opening = await firstLines(text);
  const separator = separatorLine(opening);
  if (separator) opening = opening.slice(separator.length);
  if (opening.trim() === '') throw unusable('The file is empty.');
  const delimiter = given.delimiter ?? separator?.delimiter ?? delimiterOf(opening);
  const parser = parse({
    delimiter: delimiterNames[delimiter],
    recordDelimiter: '\n',
    bom: true,
    info: true,
    skipEmptyLines: true,
    skipRecordsWithEmptyValues: true,
    relaxColumnCount: true,
    relaxQuotes: true,
    maxRecordSize: MAX_RECORD,
  });
  feed(parser, opening, text);
  const rows = records(parser, separator ? 1 : 0)[Symbol.asyncIterator]();
  const header = await rows.next();
  if (header.done) throw unusable('The file is empty.');
  return {
    dialect: { encoding, delimiter },
    head: header.value.cells.map((name) => name.trim()),
    records: { [Symbol.asyncIterator]: () => rows },
  };
}

/** A file whose columns are found by their heads, in any order and any case. @throws {AppError} csv_unusable as {@link openCsv} does */
export async function readCsv(
  source: Readable,
  required: readonly string[],
  given: Partial<Dialect> = {},
): Promise<CsvTable> {
  const { dialect, head, records } = await openCsv(source, given);
  const columns = new Map<string, number>();
  for (const [index, name] of head.entries()) {
    const key = name.toLowerCase();
    if (!columns.has(key)) columns.set(key, index);
  }
  const missing = required.filter((name) => !columns.has(name.toLowerCase()));
  if (missing.length > 0) {
    await records[Symbol.asyncIterator]().return?.(undefined);
    throw new AppError('csv_unusable', missingColumns(missing, head));
  }
  return {
    dialect,
    head,
    width: head.length,
    cell: ({ cells }, column) => {
      const index = columns.get(column.toLowerCase());
      return index === undefined ? '' : cellText(cells[index]);
    },
    records,
  };
}

export function missingColumns(missing: readonly string[], head: readonly string[]): string {
  const has = head.slice(0, 20).map((name) => name.slice(0, 40));
  return `The file has no column ${missing.join(', ')}. Its first line is: ${has.join(', ')}.`;
}

/** A cell as it was meant: trimmed, and without what keeps a spreadsheet from changing it. */
export function cellText(cell: string | undefined): string {
  if (cell === undefined) return '';
  const value = cell.trim();
  const first = value.charCodeAt(0);
  // our own files come back as they went out
  if (first === 0x27 && RISKY_ESCAPED.test(value)) return value.slice(1);
  if (first === 0x3d) return AS_TEXT.exec(value)?.[1]?.replaceAll('""', '"').trim() ?? value;
  return value;
}

const LF = 10;
const CR = 13;

/** Refuses bytes that cannot become a CSV as soon as they are seen: a line without end. */
export class LineGuard {
  #line = 1;
  #length = 0;

  /** @throws {AppError} csv_unusable, with the line. */
  check(chunk: Buffer): void {
    let from = 0;
    for (let end = nextBreak(chunk, 0); end >= 0; end = nextBreak(chunk, from)) {
      if (this.#length + end - from > MAX_RECORD) throw tooLong(this.#line);
      this.#line += 1;
      this.#length = 0;
      from = end + 1;
    }
    this.#length += chunk.length - from;
    if (this.#length > MAX_RECORD) throw tooLong(this.#line);
  }
}

function nextBreak(chunk: Buffer, from: number): number {
  const end = chunk.indexOf(LF, from);
  // files of very old spreadsheets have nothing but CR
  return end >= 0 && end - from <= MAX_RECORD ? end : chunk.indexOf(CR, from);
}

/** Detects the encoding by the first bytes. It returns all bytes once more. */
async function encodingOf(source: Readable, given: Encoding | undefined) {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const begun: Buffer[] = [];
  for (let size = 0; size < SAMPLE; ) {
    const next = await chunks.next();
    if (next.done) break;
    begun.push(next.value);
    size += next.value.length;
  }
  const sample = Buffer.concat(begun).subarray(0, SAMPLE);
  if (isBinary(sample)) throw unusable('This is not a text file. Save the table as CSV and try again.');
  async function* bytes() {
    try {
      yield* begun;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    } finally {
      await chunks.return?.();
    }
  }
  return { encoding: given ?? markedEncoding(sample) ?? ('utf-8' as const), bytes: bytes() };
}

async function* decoded(source: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  let held = '';
  // one kind of line end, whichever are mixed; a CR at the end waits for what follows
  const ended = (text: string) => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);
  try {
    for await (const chunk of source) {
      const text = held + decoder.decode(chunk, { stream: true });
      held = text.endsWith('\r') ? '\r' : '';
      yield ended(held === '' ? text : text.slice(0, -1));
    }
    yield ended(held + decoder.decode());
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    if (encoding !== 'utf-8')
      throw unusable('The file ends in the middle of a character, or is not encoded as expected.');
    throw unusable('The file is not UTF-8. Save it as "CSV UTF-8" and try again, or set encoding to windows-1252.');
  }
}

/** The beginning of the file, with at least its first lines. */
async function firstLines(text: AsyncIterator<string>): Promise<string> {
  let opening = '';
  while (opening.length < SAMPLE / 4) {
    const next = await text.next();
    if (next.done) break;
    opening += next.value;
  }
  const first = opening.indexOf('\n');
  if ((first < 0 ? opening.length : first) > MAX_RECORD) throw tooLong(1);
  return opening;
}

function feed(parser: Parser, opening: string, text: AsyncIterator<string>): void {
  const pour = async () => {
    for (let chunk: string | undefined = opening; chunk !== undefined && !parser.destroyed; ) {
      if (!parser.write(chunk)) {
        await new Promise<void>((resolve) => {
          const go = () => {
            parser.off('drain', go).off('close', go);
            resolve();
          };
          parser.on('drain', go).on('close', go);
        });
      }
      const next = await text.next();
      chunk = next.done ? undefined : next.value;
    }
    if (!parser.destroyed) parser.end();
  };
  pour().catch((error) => parser.destroy(error as Error));
  parser.once('close', () => text.return?.(undefined));
}

/** @param before how many lines come before the first that is parsed */
async function* records(parser: Parser, before: number): AsyncGenerator<CsvRecord> {
  let line = before;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      line = before + info.lines;
      yield { line: line - breaksIn(record), cells: record };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_MAX_RECORD_SIZE') throw tooLong(line + 1);
    throw unusable(`Line ${line + 1}: ${reasons[error.code] ?? 'this is not valid CSV'}.`);
  }
}

function breaksIn(cells: string[]): number {
  let breaks = 0;
  for (const cell of cells) if (cell.includes('\n')) breaks += cell.split('\n').length - 1;
  return breaks;
}

const reasons: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is never closed',
};

function tooLong(line: number): AppError {
  return unusable(`Line ${line} is longer than 64 kB. Is a quotation mark missing, or is this not a CSV file?`);
}

function unusable(message: string): AppError {
  return new AppError('csv_unusable', message);
}
