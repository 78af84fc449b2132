import { plainAmount } from '../format/amount.ts';
import { accountZone, isoIn } from '../time/zone.ts';

/** A moment as the server's CSV has it: on the account's clock. @param precision `s`: without parts of a second */
export function csvMoment(iso: string | null, precision: 's' | 'ms' = 'ms'): string | null {
  if (iso === null) return null;
  const text = isoIn(iso, accountZone());
  return precision === 's' ? text.replace(/\.\d{3}/, '') : text;
}

/** Dollars as the server's CSV has them: `49.00`. */
export const csvDollars = (dollars: number | null | undefined): string | null =>
  dollars === null || dollars === undefined ? null : plainAmount(dollars);
