import type { Readable } from 'node:stream';
import { CsvError, type Info, type Parser, parse } from 'csv-parse';
import { AppError } from '../errors.ts';

/** Longer than any real record: a notes field of 2,000 characters and much else fit many times. */
const MAX_RECORD = 64 * 1024;
const DELIMITERS = [',', ';', '\t'];
const RISKY_ESCAPED = /^'[=+\-@\t\r]/;

export interface CsvRecord {
  /** Where the record begins, counted from 1. */
  line: number;
  cells: readonly string[];
}

export interface CsvTable {
  /** Whether numbers may have a decimal comma: only where commas do not separate. */
  decimalComma: boolean;
  /** The cell of a column, trimmed; '' where the file has no such column or the record ends before it. */
  cell(record: CsvRecord, column: string): string;
  /** How many cells the header has. */
  width: number;
  records: AsyncIterable<CsvRecord>;
}

/**
 * Reads a CSV of any length: UTF-8 with or without BOM, any line ends, quoted line breaks, comma, semicolon or tab;
 * columns in any order and any case, unknown ones ignored. Holds no more than one record and what the stream buffers.
 * @throws {AppError} csv_unusable, with the line, for what cannot be read as CSV at all.
 */
export async function readCsv(source: Readable, required: readonly string[]): Promise<CsvTable> {
  const text = decoded(source)[Symbol.asyncIterator]();
  const opening = await firstLine(text);
  if (opening.trim() === '') throw unusable('The file is empty.');
  const delimiter = commonest(opening);
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    skipEmptyLines: true,
    relaxColumnCount: true,
    relaxQuotes: true,
    maxRecordSize: MAX_RECORD,
  });
  feed(parser, opening, text);
  const rows = records(parser)[Symbol.asyncIterator]();
  const header = await rows.next();
  if (header.done) throw unusable('The file is empty.');
  const columns = new Map<string, number>();
  for (const [index, name] of header.value.cells.entries()) {
    const key = name.trim().toLowerCase();
    if (!columns.has(key)) columns.set(key, index);
  }
  const missing = required.filter((name) => !columns.has(name.toLowerCase()));
  if (missing.length > 0) {
    const has = header.value.cells.slice(0, 20).map((name) => name.trim().slice(0, 40));
    await rows.return?.(undefined);
    throw unusable(`The file has no column ${missing.join(', ')}. Its first line is: ${has.join(', ')}.`);
  }
  return {
    decimalComma: delimiter !== ',',
    width: header.value.cells.length,
    cell: ({ cells }, column) => {
      const index = columns.get(column.toLowerCase());
      const value = index === undefined ? '' : (cells[index] ?? '').trim();
      // our own files come back as they went out
      return RISKY_ESCAPED.test(value) ? value.slice(1) : value;
    },
    records: { [Symbol.asyncIterator]: () => rows },
  };
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

async function* decoded(source: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let held = '';
  try {
    for await (const chunk of source) {
      // one kind of line end, so that lines are counted right; a CR at the end waits for what follows
      const text = (held + decoder.decode(chunk as Buffer, { stream: true })).replaceAll('\r\n', '\n');
      held = text.endsWith('\r') ? '\r' : '';
      yield held === '' ? text : text.slice(0, -1);
    }
    yield held + decoder.decode();
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    throw unusable('The file is not UTF-8. Save it as "CSV UTF-8" and try again.');
  }
}

/** At least the first line of the file, and what came along with it. */
async function firstLine(text: AsyncIterator<string>): Promise<string> {
  let opening = '';
  while (!/[\r\n]/.test(opening)) {
    if (opening.length > MAX_RECORD) throw tooLong(1);
    const next = await text.next();
    if (next.done) break;
    opening += next.value;
  }
  return opening;
}

function commonest(opening: string): string {
  const line = (/^[^\r\n]*/.exec(opening)?.[0] ?? '').replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((sign) => line.split(sign).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as string;
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

async function* records(parser: Parser): AsyncGenerator<CsvRecord> {
  let line = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      line = info.lines;
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
