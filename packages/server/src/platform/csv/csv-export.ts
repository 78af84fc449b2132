import { type Expression, type RawBuilder, sql } from 'kysely';
import { csvSafe } from '../db/statements/csv-safe.ts';
import { type Export, innerBreaks } from '../spool/exports.ts';
import { csvLine } from './write.ts';

/** A cell of text that somebody wrote: it is no formula, and its line breaks end no row. */
export const csvText = (column: string): string => innerBreaks(csvSafe(column));

/**
 * The rows of one SELECT as a file. Each cell is beside the head of its column, so that neither can be added, moved or left
 * out without the other.
 * @param cells by their heads; text is SQL
 * @param select gets the cells
 * @example csvExport(tables, { Id: 'c.id', Name: csvText('c.name') }, (cells) => sql`select ${cells} from customers c`)
 */
export function csvExport(
  tables: { feature: string; text(query: RawBuilder<unknown>): string },
  cells: Readonly<Record<string, string | Expression<unknown>>>,
  select: (cells: RawBuilder<unknown>) => RawBuilder<unknown>,
  { lineEnd = '\r\n', ...how }: Pick<Export, 'timeZone' | 'settings'> & { lineEnd?: '\n' | '\r\n' } = {},
): Export {
  const columns = Object.values(cells).map((cell) => (typeof cell === 'string' ? sql.raw(cell) : cell));
  const header = csvLine(Object.keys(cells));
  return {
    ...how,
    query: tables.text(select(sql`${sql.join(columns)}`)),
    feature: tables.feature,
    format: 'csv',
    ...(lineEnd === '\n' ? { header: header.replace('\r\n', '\n') } : { header, lineEnd }),
  };
}
