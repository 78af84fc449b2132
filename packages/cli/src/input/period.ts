import { text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';

/** Options of figures that are about a period. */
export const period = (inUtc = '') => ({
  from: text('<date>', `first day${inUtc}, such as 2026-10-01; with --to`),
  to: text('<date>', 'last day, inclusive; without both, the last 30 days'),
});
export const PERIOD = period();

/** @throws {UsageError} for half a period. */
export function periodOf({ from, to }: { from: string | undefined; to: string | undefined }) {
  if ((from === undefined) !== (to === undefined)) throw new UsageError('Give both --from and --to.');
  return { startDate: from, endDate: to };
}
