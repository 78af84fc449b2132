import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { plural } from '#lib/format/format.ts';
import type { CatalogFilter } from '#lib/queries/catalog.ts';
import { Button } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { ShowMore } from '#ui/lists/show-more.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';

interface CardListProps<Row> {
  list: UseInfiniteQueryResult<InfiniteData<{ rows: Row[]; total: number }>>;
  what: 'product' | 'deal';
  filter: CatalogFilter;
  onFilter: (filter: CatalogFilter) => void;
  card: (row: Row) => ReactNode;
  /** The text when there are none, whatever the filter. */
  empty: string;
  /** Default: that there are none yet. */
  emptyTitle?: string;
  action?: ReactNode;
}

const grid = 'grid grid-cols-1 gap-5 sm:grid-cols-2 lg:grid-cols-3';

/** Cards that are read page by page, with the states before and instead of them. */
export function CardList<Row>({ list, what, filter, onFilter, card, empty, emptyTitle, action }: CardListProps<Row>) {
  const { data } = list;
  if (list.isError && !data) {
    return (
      <Panel>
        <Failed
          title={`Your ${what}s couldn't be loaded`}
          error={list.error}
          retry={list.refetch}
          retrying={list.isFetching}
        />
      </Panel>
    );
  }
  if (!data) return <CardsSkeleton what={what} />;
  const rows = data.pages.flatMap((page) => page.rows);
  if (rows.length === 0) {
    const clear = () => onFilter({ ...filter, search: '', developer: '' });
    return (
      <Panel>
        {filter.search || filter.developer ? (
          <Empty title={`No ${what}s found`} action={<Button onClick={clear}>Clear the filter</Button>}>
            No {what} matches this search and developer.
          </Empty>
        ) : (
          <Empty title={emptyTitle ?? `No ${what}s yet`} action={action}>
            {empty}
          </Empty>
        )}
      </Panel>
    );
  }
  return (
    <>
      <p className="figures mb-3 text-sm text-muted" aria-live="polite">
        {plural(data.pages[0]?.total ?? rows.length, what)}
      </p>
      <ul className={cn(grid, 'transition-opacity', list.isPlaceholderData && 'opacity-60')}>{rows.map(card)}</ul>
      {list.hasNextPage ? (
        <p className="mt-6 flex flex-col items-center gap-2 text-center text-sm text-muted">
          {list.isFetchNextPageError ? `The next ${what}s couldn't be loaded.` : null}
          <ShowMore list={list} words={`Show more ${what}s`} size="md" quiet />
        </p>
      ) : null}
    </>
  );
}

function CardsSkeleton({ what }: { what: string }) {
  return (
    <div className={cn(grid, 'mt-8')} role="status">
      <span className="sr-only">Loading {what}s</span>
      {Array.from({ length: 6 }, (_, index) => (
        <Panel key={index} className="flex flex-col gap-3 p-4">
          <span className="skeleton h-5 w-2/3" />
          <span className="skeleton h-4 w-1/3" />
          <span className="skeleton mt-3 h-8 w-full" />
        </Panel>
      ))}
    </div>
  );
}
