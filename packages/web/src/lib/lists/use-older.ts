import { useInfiniteQuery } from '@tanstack/react-query';
import type { InputOf } from '@tonerow/sdk';
import { useState } from 'react';
import { type PagedId, pages, rowsOf } from '../queries/operation.ts';

/**
 * The rest of a list of which the first page came with something else: read when somebody asks for it.
 * @param from where that page ends; null: it is all
 */
export function useOlder<Id extends PagedId>(id: Id, input: InputOf<Id>, from: string | null) {
  const [asked, setAsked] = useState(false);
  const list = useInfiniteQuery({
    ...pages(id, input, from ?? ''),
    enabled: asked && from !== null,
  });
  const begun = list.data !== undefined;
  return {
    rows: list.data?.pages.flatMap((page) => rowsOf<Id>(page)) ?? [],
    /** The props of {@link ShowMore}. */
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
