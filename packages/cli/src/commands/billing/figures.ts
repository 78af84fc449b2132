import { text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';

/** Dollars to three decimals, as the screen shows usage. */
export const exact = (dollars: number) => `$${dollars.toFixed(3)}`;

export const PERIOD = {
  from: text('<date>', 'first day in UTC, such as 2026-10-01; with --to; default: the last 30 days'),
  to: text('<date>', 'last day, inclusive'),
};

/** @throws {UsageError} when only one of them is given. */
export function periodOf({ from, to }: { from: string | undefined; to: string | undefined }) {
  if ((from === undefined) !== (to === undefined)) throw new UsageError('Give both --from and --to.');
  return from === undefined ? {} : { startDate: from, endDate: to };
}
