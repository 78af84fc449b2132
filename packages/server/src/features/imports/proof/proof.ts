import type { Cents } from '#platform/money.ts';
import { plainDollars } from '#platform/money.ts';
import type { ImportKind } from '../kinds.ts';
import type { FileTally, MonthOfFile } from './tally.ts';

/** The figures that are kept of a file and its import, without anything about the people in it. */
export interface KeptProof {
  lines: number;
  added: number;
  known: number;
  rejected: number;
  /** The amount that was booked; null: this kind has no sales. */
  cents: Cents | null;
  /** The sales in the file; null: this kind has no sales. */
  file: FileTally | null;
  reasons: { reason: string; count: number }[];
  time_zone: string;
}

/** The part of it that is here now. */
export interface Here {
  count: number;
  months: MonthOfFile[];
  /** Serials by their state, now. */
  open: number;
  redeemed: number;
  revoked: number;
}

/** A month as the file has it, and as it is here. */
export interface ProvenMonth {
  month: string;
  file_count: number;
  file_cents: Cents;
  count: number;
  cents: Cents;
}

export function monthsOf(file: FileTally | null, here: readonly MonthOfFile[]): ProvenMonth[] {
  const months = new Map<string, ProvenMonth>();
  const at = (month: string) => {
    const found = months.get(month) ?? { month, file_count: 0, file_cents: 0, count: 0, cents: 0 };
    months.set(month, found);
    return found;
  };
  for (const { month, count, cents } of file?.months ?? [])
    Object.assign(at(month), { file_count: count, file_cents: cents });
  for (const { month, count, cents } of here) Object.assign(at(month), { count, cents });
  return [...months.values()].sort((one, other) => one.month.localeCompare(other.month));
}

export const sumOf = (months: readonly { cents: Cents }[]): Cents => months.reduce((sum, { cents }) => sum + cents, 0);

/** Whether everything of the file that was not refused or known before is here, to the cent. */
export function isWhole(kept: KeptProof, here: Here): boolean {
  const counted = kept.added + kept.known + kept.rejected === kept.lines && here.count === kept.added;
  return counted && (kept.cents === null || sumOf(here.months) === kept.cents);
}

const count = new Intl.NumberFormat('en-US');
const money = (cents: Cents) => {
  const [whole = '0', part] = plainDollars(cents).split('.');
  return `$${count.format(Number(whole))}.${part}`;
};
const lines = (n: number, kind: ImportKind) =>
  `${count.format(n)} ${kind === 'customers' ? (n === 1 ? 'customer' : 'customers') : n === 1 ? 'serial' : 'serials'}`;

/** The proof in one sentence: `4,012 of 4,012 lines, $183,220.50 of $183,220.50; 3 refused: …`. */
export function inWords(kept: KeptProof, here: Here, kind: ImportKind): string {
  const parts = [`${count.format(here.count)} of ${lines(kept.lines, kind)}`];
  if (kept.file) parts.push(`${money(sumOf(here.months))} of ${money(sumOf(kept.file.months))}`);
  const rest: string[] = [];
  if (kept.known > 0) rest.push(`${count.format(kept.known)} known before`);
  if (kept.rejected > 0) {
    const named = kept.reasons.slice(0, 3);
    const why = named.map((each) => `${count.format(each.count)}: ${each.reason}`);
    const others = kept.rejected - named.reduce((sum, each) => sum + each.count, 0);
    if (why.length > 0 && others > 0) why.push(`${count.format(others)} for other reasons.`);
    rest.push(`${count.format(kept.rejected)} refused${why.length > 0 ? ` (${why.join(' ')})` : ''}`);
  }
  const missing = kept.added - here.count;
  if (missing > 0) rest.push(`${count.format(missing)} no longer here`);
  return [parts.join(', '), ...rest].join('; ');
}
