import type { QueryClient } from '@tanstack/react-query';
import { keys } from '../../lib/queries/keys.ts';
import { refreshAfter } from '../../lib/queries/refresh.ts';
import type { RedeemedPage, RedeemedSerial } from '../../lib/types.ts';

type Change = Partial<Pick<RedeemedSerial, 'revoked' | 'status' | 'download_count'>>;

/** Changes the rows of the redeemed list at once, and refreshes everything else that shows them. */
export function noteChange(queryClient: QueryClient, ids: string[], change: Change) {
  const changed = new Set(ids);
  queryClient.setQueriesData<RedeemedPage>(
    { queryKey: keys.redeemed.all },
    (page) => page && { ...page, rows: page.rows.map((row) => (changed.has(row.id) ? { ...row, ...change } : row)) },
  );
  refreshAfter(queryClient, 'serialsChanged');
}
