import { cellText } from '#platform/csv/read.ts';
import { parseEmail } from '#platform/text/email-address.ts';
import { nameKey } from '#platform/text/name-key.ts';
import { decimalSignOf } from '../columns/amounts.ts';
import { type Column, columnsOf } from '../columns/fields.ts';
import { dayOrderEvidence, decimalEvidence, type Unclear } from '../columns/reading.ts';
import type { ImportKind } from '../kinds.ts';
import { columnsNamed } from './heads.ts';
import type { SourceColumn } from './plan.ts';

/** The beginning of a file. */
export interface Sample {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

const EXAMPLES = 3;
const LONGEST_EXAMPLE = 80;
/** The part of a column's cells that have to look alike. */
const MOST = 0.9;

const amounts: readonly Column[] = ['Total Price', 'Promo Price'];
const moments: readonly Column[] = [
  'Purchase Date',
  'Promo Expires',
  'Active From',
  'Active To',
  'Signup Date',
  'License Ends',
];

export function sampleColumns({ head, rows }: Sample): SourceColumn[] {
  return head.map((name, place) => ({
    head: name.slice(0, 200),
    examples: cellsAt(rows, place)
      .slice(0, EXAMPLES)
      .map((cell) => cell.slice(0, LONGEST_EXAMPLE)),
  }));
}

function cellsAt(rows: Sample['rows'], place: number): string[] {
  return rows.flatMap((cells) => cellText(cells[place]) || []);
}

/** The kind of a file, by its columns: sales have codes and people, stock has codes, and people alone are customers. */
export function proposedKind(sample: Sample): ImportKind {
  const named = new Set(sample.head.flatMap((head) => columnsNamed(head)));
  const emails = named.has('Email') || placeLike(sample, isEmail) !== null;
  const serials = named.has('Serial') || placeLike(sample, looksLikeCode) !== null;
  return emails ? (serials ? 'redeemed' : 'customers') : 'available';
}

/**
 * The likely meaning of each column, by its head or, where that shows nothing, by its cells. No two columns get
 * the same meaning.
 * @param productNames of the account
 */
export function proposedMapping(sample: Sample, kind: ImportKind, productNames: readonly string[]): (Column | null)[] {
  const readable = new Set(columnsOf[kind]);
  const mapping: (Column | null)[] = sample.head.map(() => null);
  const free = (column: Column) => readable.has(column) && !mapping.includes(column);
  // the exact name first, then what else it can mean
  for (const [place, head] of sample.head.entries()) {
    const exact = columnsOf[kind].find((column) => column.toLowerCase() === head.trim().toLowerCase());
    if (exact && free(exact)) mapping[place] = exact;
  }
  for (const [place, head] of sample.head.entries()) {
    if (mapping[place] !== null) continue;
    mapping[place] = columnsNamed(head).find(free) ?? null;
  }
  const products = new Set(productNames.map(nameKey));
  const byContent: [Column, (cells: string[]) => boolean][] = [
    ['Email', (cells) => most(cells, isEmail)],
    ['Product', (cells) => most(cells, (cell) => products.has(nameKey(cell)))],
    ['Serial', (cells) => most(cells, looksLikeCode) && new Set(cells).size > cells.length * MOST],
  ];
  for (const [column, fits] of byContent) {
    if (!free(column)) continue;
    const place = sample.head.findIndex((_, at) => {
      const cells = cellsAt(sample.rows, at);
      return mapping[at] === null && cells.length > 0 && fits(cells);
    });
    if (place >= 0) mapping[place] = column;
  }
  // a whole name is of no use beside its parts
  const whole = mapping.indexOf('Full Name');
  if (whole >= 0 && mapping.includes('First Name') && mapping.includes('Last Name')) mapping[whole] = null;
  return mapping;
}

function placeLike(sample: Sample, fits: (cell: string) => boolean): number | null {
  const place = sample.head.findIndex((_, at) => most(cellsAt(sample.rows, at), fits));
  return place < 0 ? null : place;
}

function most(cells: readonly string[], fits: (cell: string) => boolean): boolean {
  return cells.length > 0 && cells.filter(fits).length >= cells.length * MOST;
}

const isEmail = (cell: string) => cell.includes('@') && parseEmail(cell) !== null;
/** Letters and digits in blocks, or one long block of both. */
export const looksLikeCode = (cell: string) =>
  /^(?=.*\d)[\p{L}\d]{3,12}(?:[-_ .][\p{L}\d]{3,12}){1,9}$/u.test(cell) ||
  /^(?=.*\d)(?=.*\p{L})[\p{L}\d]{8,64}$/u.test(cell);

/** Columns whose cells in the sample can be read in two ways. */
export function unclearColumns({ rows }: Sample, mapping: readonly (Column | null)[]): Unclear[] {
  return mapping.flatMap((column, place): Unclear[] => {
    const settles =
      column === null ? null : amounts.includes(column) ? 'decimal' : moments.includes(column) ? 'date_order' : null;
    if (column === null || settles === null) return [];
    const evidence = settles === 'decimal' ? decimalEvidence() : dayOrderEvidence();
    for (const cell of cellsAt(rows, place)) evidence.see(cell);
    const { verdict } = evidence;
    if (verdict.is === 'ambiguous') return [{ column, settles, examples: [verdict.example] }];
    return verdict.is === 'mixed' ? [{ column, settles, examples: [...verdict.examples] }] : [];
  });
}

/** Whether some price is a text with a decimal comma. Numbers of a workbook come with a point, however it shows them. */
export function hasDecimalCommas({ rows }: Sample, mapping: readonly (Column | null)[]): boolean {
  return mapping.some(
    (column, place) =>
      column !== null &&
      amounts.includes(column) &&
      cellsAt(rows, place).some((cell) => decimalSignOf(cell) === 'comma'),
  );
}
