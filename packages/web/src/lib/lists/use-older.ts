import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';

interface OlderOptions<Row> {
  queryKey: readonly unknown[];
  /** Where what is there already ends; null: it is all. */
  from: string | null;
  read: (cursor: string, signal: AbortSignal) => Promise<{ rows: Row[]; next_cursor: string | null }>;
}

/** The rest of a list of which the first page came with something else: read when somebody asks for it. */
export function useOlder<Row>({ queryKey, from, read }: OlderOptions<Row>) {
  const [asked, setAsked] = useState(false);
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: from ?? '',
    getNextPageParam: (page) => page.next_cursor,
    enabled: asked && from !== null,
  });
  const begun = list.data !== undefined;
  return {
    rows: list.data?.pages.flatMap((page) => page.rows) ?? [],
    /** For {@link ShowMore}. */
    list: {
      hasNextPage: begun ? list.hasNextPage : from !== null,
      isFetchingNextPage: begun ? list.isFetchingNextPage : list.isFetching,
      isFetchNextPageError: begun ? list.isFetchNextPageError : list.isError,
      fetchNextPage: () => {
        if (begun) return list.fetchNextPage();
        if (asked) return list.refetch();
        return setAsked(true);
      },
    },
  };
}
