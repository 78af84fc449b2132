import type { QueryClient } from '@tanstack/react-query';
import type { ImportDetail } from '../types.ts';
import { q } from './operation.ts';

export const importQuery = (id: string) => q('getImport', { path: { id } });

/** Shows at once what the server has just answered. */
export function keepImport(queryClient: QueryClient, next: ImportDetail) {
  queryClient.setQueryData(importQuery(next.id).queryKey, next);
}

/** After a change that was refused: another window may have changed it. */
export const readImportAgain = (queryClient: QueryClient, id: string) => queryClient.invalidateQueries(importQuery(id));
