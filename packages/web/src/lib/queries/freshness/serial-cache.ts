import type { QueryClient } from '@tanstack/react-query';
import type { OperationId } from '@tonerow/sdk';
import type { RedeemedPage, RedeemedSerial } from '../../types.ts';
import { serialQuery } from '../serials.ts';
import { refreshAfter } from './refresh.ts';

type Change = Partial<Pick<RedeemedSerial, 'revoked' | 'status' | 'download_count' | 'standing'>>;

function changeRows(queryClient: QueryClient, ids: ReadonlySet<string>, change: Change) {
  queryClient.setQueriesData<RedeemedPage>(
    { queryKey: ['listRedeemedSerials' satisfies OperationId] },
    (page) => page && { ...page, rows: page.rows.map((row) => (ids.has(row.id) ? { ...row, ...change } : row)) },
  );
}

/**
 * Changes the row of the redeemed list in its place, so that nothing moves under the pointer, and refreshes everything else
 * that shows the serial.
 */
export async function noteChange(queryClient: QueryClient, id: string, change: Change = {}) {
  const ids = new Set([id]);
  changeRows(queryClient, ids, change);
  const refreshed = refreshAfter(queryClient, 'serialsChanged');
  try {
    const found = await queryClient.fetchQuery({ ...serialQuery(id), staleTime: 0 });
    const { revoked, status, download_count } = found;
    const { code, message, since } = found.standing;
    changeRows(queryClient, ids, { revoked, status, download_count, standing: { code, message, since } });
  } catch {
    // the change is made; what could not be read again is read with the next page
  }
  await refreshed;
}
