import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { q } from '#lib/queries/operation.ts';
import { ownKeys } from '#lib/queries/own-keys.ts';
import { unfinishedUploads } from './upload-file.ts';

/** Name and size of a file in our storage; they don't change once it is complete. */
export function storedFileQuery(id: string) {
  return queryOptions({
    ...q('getFile', { path: { id } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const unfinishedQuery = queryOptions({
  queryKey: ownKeys.unfinishedUploads,
  queryFn: ({ signal }) => unfinishedUploads(signal),
  staleTime: 0,
});

/** Called when the upload is complete or canceled. */
export function forgetUnfinished(queryClient: QueryClient, id: string) {
  queryClient.setQueryData(unfinishedQuery.queryKey, (files) => files?.filter((file) => file.id !== id));
}
