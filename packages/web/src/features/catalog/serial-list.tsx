import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatCount, plural } from '#lib/format/format.ts';
import { SearchInput } from '#ui/forms/search-input.tsx';
import { ShowMore } from '#ui/lists/show-more.tsx';
import { Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';

interface SerialListProps {
  title: string;
  list: UseInfiniteQueryResult;
  /** Rows that have been read. */
  count: number;
  /** All of them, without a search. */
  total: number;
  search: string;
  onSearch: (search: string) => void;
  placeholder: string;
  none: string;
  actions: ReactNode;
  notice?: ReactNode;
  children: ReactNode;
}

/** A list of codes with its own search, read page by page. */
export function SerialList(props: SerialListProps) {
  const { title, list, count, total, search, onSearch, placeholder, none, actions, notice, children } = props;
  return (
    <section className="mb-8" aria-label={title}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="font-semibold">
          {title} <span className="figures ml-1 font-normal text-muted">{formatCount(total)}</span>
        </h2>
        {actions}
      </div>
      {notice ? <div className="mb-3">{notice}</div> : null}
      {total > 0 || search ? (
        <SearchInput
          value={search}
          onChange={onSearch}
          placeholder={placeholder}
          label={`Search ${title.toLowerCase()}`}
          className="mb-3 w-full sm:max-w-[340px]"
        />
      ) : null}
      <Panel className="overflow-hidden">
        {list.isError && count === 0 ? (
          <Failed
            title="Serials couldn't be loaded"
            error={list.error}
            retry={list.refetch}
            retrying={list.isFetching}
          />
        ) : list.isPending ? (
          <div role="status" className="flex flex-col gap-4 p-5">
            <span className="sr-only">Loading serials</span>
            <span className="skeleton h-4 w-56 max-w-full" />
            <span className="skeleton h-4 w-48 max-w-full" />
          </div>
        ) : count === 0 ? (
          <p className="px-5 py-6 text-center text-muted">{search ? 'No serials found' : none}</p>
        ) : (
          <>
            <ul className="divide-y divide-line" aria-label={title}>
              {children}
            </ul>
            {list.hasNextPage ? (
              <p className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3 text-sm text-muted">
                {plural(count, 'serial')} shown
                <ShowMore list={list} />
              </p>
            ) : null}
          </>
        )}
      </Panel>
    </section>
  );
}
