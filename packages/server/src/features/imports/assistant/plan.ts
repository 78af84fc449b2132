import { isDeepStrictEqual } from 'node:util';
import type { DelimiterName, Encoding } from '#platform/csv/dialect.ts';
import { money } from '#platform/paper/words.ts';
import { plural } from '#platform/text/plural.ts';
import type { DecimalSign } from '../columns/amounts.ts';
import { type Column, columnsOf, requiredOf } from '../columns/fields.ts';
import type { DayOrder } from '../columns/moments.ts';
import { type Unclear, wordsOf } from '../columns/reading.ts';
import type { ImportKind } from '../kinds.ts';
import type { KeptProof } from '../proof/proof.ts';
import type { Differences } from '../update/difference.ts';

export const sourceFormats = ['csv', 'xlsx', 'json'] as const;
export type SourceFormat = (typeof sourceFormats)[number];

/** How the file is written. */
export type SourceDialect =
  | {
      format: 'csv';
      encoding: Encoding;
      delimiter: DelimiterName;
      /** A plain list of codes: its first line is one of them. */
      headless?: true;
    }
  | { format: 'xlsx'; sheet: string; sheets: string[] }
  | { format: 'json' };

export interface SourceColumn {
  head: string;
  /** The first cells that are not empty. */
  examples: string[];
}

/** Whether licenses that have ended are revoked. */
export const endsAnswers = ['revoke', 'ignore'] as const;
export type EndsAnswer = (typeof endsAnswers)[number];

/** A person's answers where the file shows nothing. */
export interface Answers {
  decimal?: DecimalSign;
  date_order?: DayOrder;
  /** There are no prices: sales are booked at what the product costs today. */
  price?: 'current';
  /** There are no dates: sales are booked on the day of the import. */
  date?: 'today';
  /** The file has ends of licenses: those that are past revoke, or leave the serial out that nobody owns, and the others become notes; or all are left out. */
  ends?: EndsAnswer;
}

/** How a file is to be understood: what was found in it, and what a person changed. */
export interface Plan {
  kind: ImportKind;
  /** The system that made the file, if it was recognized. */
  preset: string | null;
  dialect: SourceDialect;
  columns: SourceColumn[];
  /** The meaning of each column, in the order of the file; null: it is not used. */
  mapping: (Column | null)[];
  /** The value of a column in every line, where the file has no such column. */
  values: Partial<Record<Column, string>>;
  /** Products as the file calls them, and as they are called here. */
  products: Record<string, string>;
  answers: Answers;
  /** The import that this file corrects: it is taken back as this one is imported. */
  replaces?: string | null;
  /** What is kept of the file and its import once it has run. */
  proof?: KeptProof;
  /** Columns of the lines seen so far that can be read in two ways. */
  unclear: Unclear[];
}

/** A group of lines that were refused for the same reason. */
export interface ReasonGroup {
  /** The reason, without the parts that differ from line to line. */
  reason: string;
  count: number;
  example: { line: number; reason: string };
}

/** The result of a check: the import as it would be. */
export interface Checked {
  at: string;
  lines: number;
  added: number;
  known: number;
  rejected: number;
  reasons: ReasonGroup[];
  /** The first lines as they would be. */
  rows: ({ line: number; refused: string | null } & Record<string, string | number | boolean | null>)[];
  /** The sum of the prices of all lines that can be imported; null: the import has no prices. */
  amount_cents: number | null;
  /** Lines with an empty price: how many, and their sum. Absent in a check of an earlier release. */
  unpriced?: { count: number; cents: number };
  undated?: number;
  /** The changes to the import that it corrects; null: it corrects none. */
  changes?: Differences | null;
  time_zone: string;
}

/** Something that has to be settled before the file can be imported. */
export interface Question {
  /** The key for the answer: one of `answers`, or the column that needs a place in the file or a value. */
  id: string;
  message: string;
  choices: string[];
}

/** Places of the columns that are used. */
export function placesOf({ mapping }: Pick<Plan, 'mapping'>): Map<Column, number> {
  return new Map(mapping.flatMap((column, place) => (column === null ? [] : [[column, place] as const])));
}

/** The open questions, in the order in which a person would settle them. */
export function questionsOf(
  plan: Plan,
  { productNames, checked = null }: { productNames: readonly string[]; checked?: Checked | null },
): Question[] {
  const { kind, answers, values } = plan;
  const has = (column: Column) => plan.mapping.includes(column) || values[column] !== undefined;
  const questions: Question[] = requiredOf[kind]
    .filter((column) => !has(column))
    .map((column) => ({
      id: column,
      message:
        column === 'Product'
          ? 'No column has the product. Choose one, or the product of all lines.'
          : `No column has the ${column.toLowerCase()}. Choose one.`,
      choices: column === 'Product' ? productNames.slice(0, 100) : [],
    }));
  for (const unclear of plan.unclear) {
    if (answers[unclear.settles] !== undefined || questions.some(({ id }) => id === unclear.settles)) continue;
    questions.push({
      id: unclear.settles,
      message: wordsOf(unclear),
      choices: unclear.settles === 'decimal' ? ['point', 'comma'] : ['dmy', 'mdy'],
    });
  }
  if (has('License Ends') && answers.ends === undefined) {
    const past = kind === 'available' ? 'Leave out the serials whose license' : 'Revoke the serials whose license';
    questions.push({
      id: 'ends',
      message: `The file has ends of licenses, and a serial here has none. ${past} has ended and keep the other ends as notes of their batches, or leave all ends out.`,
      choices: [...endsAnswers],
    });
  }
  if (kind === 'redeemed' && !has('Total Price') && answers.price === undefined) {
    questions.push({
      id: 'price',
      message: `No column has the price. ${todaysPrices(checked)}Choose one, a price for all lines, or what each product costs today.`,
      choices: ['current'],
    });
  }
  if (kind === 'redeemed' && !has('Purchase Date') && answers.date === undefined) {
    questions.push({
      id: 'date',
      message: 'No column has the date of the sale. Choose one, a date for all lines, or today.',
      choices: ['today'],
    });
  }
  return [...questions, ...emptyCells(plan, checked)];
}

/** Lines without a price or a date in a file that has such a column, as a check or the import itself finds them. */
export function emptyCells(
  { answers, mapping }: Pick<Plan, 'answers' | 'mapping'>,
  found: Pick<Checked, 'unpriced' | 'undated'> | null,
): Question[] {
  const questions: Question[] = [];
  const { unpriced = { count: 0, cents: 0 }, undated = 0 } = found ?? {};
  if (unpriced.count > 0 && answers.price === undefined && mapping.includes('Total Price')) {
    questions.push({
      id: 'price',
      message: `${plural(unpriced.count, 'line has', 'lines have')} no price. At what the products cost today, that is ${money(unpriced.cents)}. Choose that, or correct the file.`,
      choices: ['current'],
    });
  }
  if (undated > 0 && answers.date === undefined && mapping.includes('Purchase Date')) {
    questions.push({
      id: 'date',
      message: `${plural(undated, 'line has', 'lines have')} no date of the sale. Choose today, or correct the file.`,
      choices: ['today'],
    });
  }
  return questions;
}

/** The amount at which sales without a price would be booked, once it is known. */
function todaysPrices(checked: Checked | null): string {
  if (!checked?.amount_cents || checked.added === 0) return '';
  const { added, amount_cents: sum } = checked;
  const each = added > 1 && sum % added === 0 ? `, ${money(sum / added)} each` : '';
  return `At what the products cost today, ${plural(added, 'sale is', 'sales are')} ${money(sum)}${each}. `;
}

/** Whether two plans import the same: to be content with today's prices or today's date changes nothing that a check found. */
export function importsAlike(one: Plan, other: Plan): boolean {
  const asked = ({ answers, replaces = null, ...plan }: Plan) => ({
    ...plan,
    replaces,
    answers: { ...answers, price: undefined, date: undefined },
  });
  return isDeepStrictEqual(asked(one), asked(other));
}

/** Unmaps the columns that a kind of import does not read. */
export function fitTo(kind: ImportKind, mapping: readonly (Column | null)[]): (Column | null)[] {
  const readable = new Set(columnsOf[kind]);
  return mapping.map((column) => (column !== null && readable.has(column) ? column : null));
}

/** As {@link groupOf}; but each product that is missing is settled by itself. */
export const groupInCheck = (reason: string): string =>
  reason.startsWith('No product is named ') ? reason : groupOf(reason);

/** The same reason on many lines is one: what is quoted, and numbers, differ from line to line. */
export function groupOf(reason: string): string {
  return reason
    .replace(/"(?:[^"]|"")*"/g, '"…"')
    .replace(/(?<!such as )\b\d[\d.,]*\b/g, (digits) => (digits.length > 3 ? '…' : digits));
}
