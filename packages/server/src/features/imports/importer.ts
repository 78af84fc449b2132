import type { RawBuilder } from 'kysely';
import type { CsvRecord } from '#platform/csv/read.ts';
import type { Cents } from '#platform/money.ts';
import type { Random } from '#platform/random.ts';
import type { SourceTable } from './columns/source-table.ts';
import type { FileTally } from './proof/tally.ts';
import type { ImportsHandle } from './tables.ts';

/** What every kind of import needs. */
export interface ImportContext {
  developerId: string;
  /** Every row that it brings carries it, so that it can be taken back. */
  importId: string;
  now: Date;
  random: Random;
}

export interface Rejection {
  line: number;
  /** The serial or the address, so that the line is found again. */
  what: string;
  reason: string;
}

export interface Settled {
  added: number;
  /** Lines whose content was already known. */
  known: number;
  /** The sum of the prices of sales that were added; null: this kind has no sales. */
  cents: Cents | null;
  /** The sales in the file, also those that are not imported; null: this kind has none. */
  tally: FileTally | null;
}

/**
 * One kind of import: how a line becomes a row of its staging table, and how the staged rows become what they are meant
 * to be. Everything happens in one transaction.
 */
export interface Importer {
  /** Makes the staging table, which goes with the transaction. */
  stage: RawBuilder<unknown>;
  copy: string;
  /** The name of a line in the report. */
  nameOf(table: SourceTable, record: CsvRecord): string;
  /** @throws {CellError} when the line cannot be taken. */
  row(table: SourceTable, record: CsvRecord): string;
  /**
   * Lines that cannot be taken after all go from `staged` to `rejected`.
   * @param isTrial nobody looks at the rows, which are taken back: those that no line depends on need not be written. What it finds
   *   is the same.
   */
  settle(tx: ImportsHandle, isTrial: boolean): Promise<Settled>;
}

/** Cells as one line of COPY's text format. */
export function copyLine(cells: readonly (string | number | boolean | Date | null)[]): string {
  let text = '';
  for (let i = 0; i < cells.length; i += 1) {
    if (i > 0) text += '\t';
    const cell = cells[i] as string | number | boolean | Date | null;
    if (cell === null) text += '\\N';
    else if (typeof cell === 'string') text += escaped(cell);
    else if (cell instanceof Date) text += cell.toISOString();
    else text += String(cell);
  }
  return `${text}\n`;
}

function escaped(text: string): string {
  return /[\\\n\r\t]/.test(text)
    ? text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
    : text;
}
