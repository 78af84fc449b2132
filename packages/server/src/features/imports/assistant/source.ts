import { buffer } from 'node:stream/consumers';
import type { Encoding } from '#platform/csv/dialect.ts';
import { openCsv } from '#platform/csv/read.ts';
import { AppError } from '#platform/errors.ts';
import type { SpoolFile } from '#platform/spool/spool-file.ts';
import { openWorkbook } from '#platform/xlsx/read.ts';
import type { Rows } from '../columns/source-table.ts';
import { columnsNamed } from './heads.ts';
import { jsonTable, looksLikeJson, MOST_JSON } from './json-rows.ts';
import type { SourceDialect, SourceFormat } from './plan.ts';
import { looksLikeCode, type Sample } from './proposal.ts';

/** As many lines show what a column is. */
const SAMPLED = 2000;
/** More columns than any table has that people made. */
const MOST_COLUMNS = 500;

/** Opens a file from its beginning, as often as it is needed. @throws {AppError} csv_unusable */
export async function openSource(file: SpoolFile, dialect: SourceDialect): Promise<Rows> {
  const rows = await rowsOf(file, dialect);
  if (rows.head.length <= MOST_COLUMNS) return rows;
  await rows.records[Symbol.asyncIterator]().return?.(undefined);
  throw new AppError(
    'csv_unusable',
    `The file has ${rows.head.length} columns. An import has at most ${MOST_COLUMNS}.`,
  );
}

/** Where the file of an import is kept. */
export function sourceKey(id: string, format: SourceFormat): string {
  return `imports/${id}.${format}`;
}

/** How a file is written. @param encoding what all of its bytes show, if they are text. @throws {AppError} csv_unusable */
export async function detectSource(file: SpoolFile, encoding: Encoding): Promise<SourceDialect> {
  const begin = await buffer(file.slice(0, 8));
  if (begin.subarray(0, 4).equals(ARCHIVE)) {
    const { sheets } = await openWorkbook(file);
    return { format: 'xlsx', sheet: sheets[0] as string, sheets };
  }
  if (looksLikeJson((await buffer(file.slice(0, 256))).toString('utf8'))) {
    await openJson(file);
    return { format: 'json' };
  }
  if (begin.equals(OLD_OFFICE)) {
    throw new AppError(
      'csv_unusable',
      'The workbook is protected by a password, or of an old version of Excel. Save it as .xlsx without a password, or as CSV.',
    );
  }
  const { dialect, head, records } = await openCsv(file.read(), { encoding });
  await records[Symbol.asyncIterator]().return?.(undefined);
  return { format: 'csv', ...dialect, ...(isPlainList(head) && { headless: true as const }) };
}

/** A column of codes, of which the first is in the first line. */
function isPlainList(head: readonly string[]): boolean {
  const [first = ''] = head;
  return head.length === 1 && columnsNamed(first).length === 0 && looksLikeCode(first);
}

function withFirst({ head, records }: Rows): Rows {
  async function* all() {
    yield { line: 1, cells: head };
    yield* records;
  }
  return { head: ['Serial'], records: all() };
}

/** How a ZIP archive begins, which a workbook is. */
const ARCHIVE = Buffer.from('PK\x03\x04', 'latin1');
/** How compound files of old office programs begin, and encrypted ones. */
const OLD_OFFICE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

async function openJson(file: SpoolFile): Promise<Rows> {
  if (file.size > MOST_JSON) {
    throw new AppError(
      'csv_unusable',
      `A JSON file may have ${MOST_JSON / 1024 / 1024} MB. Export fewer records at once, or as CSV.`,
    );
  }
  return jsonTable((await buffer(file.read())).toString('utf8'));
}

async function rowsOf(file: SpoolFile, dialect: SourceDialect): Promise<Rows> {
  if (dialect.format === 'json') return openJson(file);
  if (dialect.format === 'csv') {
    const csv = await openCsv(file.read(), dialect);
    return dialect.headless && csv.head.length === 1 ? withFirst(csv) : csv;
  }
  const rows = (await openWorkbook(file)).rows(dialect.sheet);
  const head = await rows.next();
  if (head.done) throw new AppError('csv_unusable', `The sheet "${dialect.sheet}" is empty.`);
  return { head: head.value.cells.map((name) => name.trim()), records: rows };
}

/** The beginning of a file. */
export async function sampleOf(file: SpoolFile, dialect: SourceDialect): Promise<Sample> {
  const { head, records } = await openSource(file, dialect);
  const rows: (readonly string[])[] = [];
  for await (const { cells } of records) {
    rows.push(cells);
    if (rows.length === SAMPLED) break;
  }
  return { head, rows };
}
