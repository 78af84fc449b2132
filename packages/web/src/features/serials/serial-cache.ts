import type { QueryClient } from '@tanstack/react-query';
import type { RedeemedPage, RedeemedSerial } from '../../lib/types.ts';

/**
 * Apart from the other `serials`, which are read anew with every redemption: rows that move away under the pointer get the wrong serial
 * revoked.
 */
export const redeemedKey = ['redeemed-serials'];

type Change = Partial<Pick<RedeemedSerial, 'revoked' | 'status' | 'download_count'>>;

/** The lists follow at once; what is counted elsewhere is read anew when somebody looks. */
export function noteChange(queryClient: QueryClient, ids: string[], change: Change) {
  const changed = new Set(ids);
  queryClient.setQueriesData<RedeemedPage>(
    { queryKey: redeemedKey },
    (page) => page && { ...page, rows: page.rows.map((row) => (changed.has(row.id) ? { ...row, ...change } : row)) },
  );
  queryClient.invalidateQueries({ queryKey: ['serials', 'one'] });
  for (const list of ['available', 'group', 'batches', 'batch'])
    queryClient.invalidateQueries({ queryKey: ['serials', list] });
  for (const other of ['products', 'customers']) queryClient.invalidateQueries({ queryKey: [other] });
}

/** After an import, or when a group or the rest of a batch is gone. */
export function readAnew(queryClient: QueryClient) {
  for (const queryKey of [['serials'], redeemedKey, ['products'], ['customers'], ['analytics']])
    queryClient.invalidateQueries({ queryKey });
}
