import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { InputOf } from '@tonerow/sdk';
import { type PagedId, pages, rowsOf } from '#lib/queries/operation.ts';

/** A log page by page, and anew whenever its screen is opened. */
export function useLog<Id extends PagedId>(id: Id, input: InputOf<Id>) {
  const list = useInfiniteQuery({ ...pages(id, input), placeholderData: keepPreviousData, refetchOnMount: 'always' });
  return { list, rows: list.data?.pages.flatMap((page) => rowsOf<Id>(page)), first: list.data?.pages[0] };
}
