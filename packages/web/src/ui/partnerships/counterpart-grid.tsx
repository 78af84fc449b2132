import type { ReactNode } from 'react';
import { formatCount } from '#lib/format/format.ts';
import { ShowMore } from '../lists/show-more.tsx';
import { Panel } from '../page.tsx';
import { Empty, Failed } from '../states.tsx';

/** The part of a query that the grid needs. */
interface List<Row> {
  data: { pages: { rows: Row[]; total: number }[] } | undefined;
  isError: boolean;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

export interface CounterpartGridProps<Row> {
  list: List<Row>;
  /** The name of the rows, such as `resellers`. */
  what: string;
  card: (row: Row) => ReactNode;
  empty: { title: string; text: string; action?: ReactNode };
}

const grid = 'grid grid-cols-1 items-start gap-5 sm:grid-cols-2 md:grid-cols-1 lg:grid-cols-2 xl:grid-cols-3';

/** Counterparts as cards, page by page, with the states before and instead of them. */
export function CounterpartGrid<Row>({ list, what, card, empty }: CounterpartGridProps<Row>) {
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  if (rows.length > 0) {
    return (
      <>
        <ul className={grid} aria-label={what[0]?.toUpperCase() + what.slice(1)}>
          {rows.map(card)}
        </ul>
        {list.hasNextPage ? (
          <div className="mt-5 flex flex-col items-center gap-2 text-sm text-muted">
            <span className="figures" aria-live="polite">
              {list.isFetchNextPageError
                ? `The next ${what} couldn't be loaded.`
                : `${formatCount(rows.length)} of ${formatCount(list.data?.pages[0]?.total ?? rows.length)} ${what}`}
            </span>
            <ShowMore list={list} />
          </div>
        ) : null}
      </>
    );
  }
  if (list.isError) {
    return (
      <Panel>
        <Failed
          title={`Your ${what} couldn't be loaded`}
          error={list.error}
          retry={list.refetch}
          retrying={list.isFetching}
        />
      </Panel>
    );
  }
  if (list.data) {
    return (
      <Panel>
        <Empty title={empty.title} action={empty.action}>
          {empty.text}
        </Empty>
      </Panel>
    );
  }
  return (
    <div className={grid} role="status">
      <span className="sr-only">Loading your {what}</span>
      {[0, 1, 2].map((index) => (
        <Panel key={index} className="flex flex-col gap-4 p-4">
          <span className="skeleton h-12 w-2/3" />
          <span className="skeleton h-9 w-full" />
          <span className="skeleton mt-2 h-8 w-full" />
        </Panel>
      ))}
    </div>
  );
}
