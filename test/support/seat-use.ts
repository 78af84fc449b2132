import type { SentUse } from './statement-use.ts';

/** Columns of a seat that the sums of seats are made of. */
const COUNTED = new Set(['released_at', 'version', 'os', 'last_seen_at', 'machine_id', 'serial_id']);

/**
 * Whether a statement gives a seat, frees it or changes what is counted of it, and notes nothing of that. To delete machines is no such
 * change if they gave up their seats before.
 */
export function forgetsSums(sql: string, uses: readonly SentUse[]): boolean {
  const changes = uses.some(
    ({ table, does, columns }) =>
      table === 'activations' &&
      (does === 'adds' ||
        (does === 'deletes' && !/\breleased_at"? is not null/.test(sql)) ||
        (does === 'updates' && columns.some((column) => COUNTED.has(column)))),
  );
  return changes && !uses.some(({ table, does }) => table === 'seat_changes' && does === 'adds');
}
