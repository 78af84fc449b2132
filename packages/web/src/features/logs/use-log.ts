import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';

interface LogPage<Row> {
  rows: Row[];
  next_cursor: string | null;
}

interface Asks<Page> {
  queryKey: QueryKey;
  limit: number;
  load: (page: { limit: number; cursor?: string }, options: { signal: AbortSignal }) => Promise<Page>;
}

/** A log page by page, and anew whenever its screen is opened. */
export function useLog<Row, Page extends LogPage<Row>>({ queryKey, limit, load }: Asks<Page & LogPage<Row>>) {
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load({ limit, ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  return { list, rows: list.data?.pages.flatMap((page) => page.rows), first: list.data?.pages[0] };
}
