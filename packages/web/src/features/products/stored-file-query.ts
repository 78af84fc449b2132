import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { keys } from '#lib/queries/keys.ts';
import { unfinishedUploads } from './upload-file.ts';

/** Name and size of a file in our storage; they don't change once it is complete. */
export function storedFileQuery(id: string) {
  return queryOptions({
    queryKey: keys.files.one(id),
    queryFn: ({ signal }) => api.getFile({ path: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const unfinishedQuery = queryOptions({
  queryKey: keys.files.unfinished,
  queryFn: ({ signal }) => unfinishedUploads(signal),
  staleTime: 0,
});

/** Called when the upload is complete or canceled. */
export function forgetUnfinished(queryClient: QueryClient, id: string) {
  queryClient.setQueryData(unfinishedQuery.queryKey, (files) => files?.filter((file) => file.id !== id));
}

const ours = /^\/media\/files\/([0-9a-f-]{36})$/i;

/** The id behind the address of a file in our storage; null for an address elsewhere. */
export function storedFileId(url: string): string | null {
  return ours.exec(url)?.[1] ?? null;
}
