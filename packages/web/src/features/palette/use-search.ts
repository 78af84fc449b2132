import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useDebounced } from '../../lib/hooks.ts';
import { keys } from '../../lib/queries/keys.ts';

const LEAST = 2;

/** The server's results for what was typed, once typing pauses. Resellers have nothing to search yet. */
export function useSearch(text: string, enabled: boolean) {
  const typed = text.trim().slice(0, 200);
  const settled = useDebounced(typed, 180);
  const asks = enabled && typed.length >= LEAST && settled.length >= LEAST;
  const query = useQuery({
    queryKey: keys.search(settled),
    queryFn: ({ signal }) => api.search({ query: { q: settled } }, { signal }),
    enabled: asks,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  return {
    found: asks ? query.data : undefined,
    error: asks && query.isError ? query.error : null,
    waiting: enabled && typed.length >= LEAST && (typed !== settled || query.isFetching),
    retry: () => {
      query.refetch();
    },
  };
}
