import { keepPreviousData, type UseInfiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import type { InputOf } from '@tonerow/sdk';
import type { ComponentType, ReactNode } from 'react';
import type { api } from '#lib/api.ts';
import { type AnyFilter, setIn } from '#lib/lists/list-filter.ts';
import { absent } from '#lib/navigation/search-params.ts';
import { type PagedId, type PageOf, pages, rowsOf } from '#lib/queries/operation.ts';
import { MoreLine } from '#ui/lists/more-line.tsx';
import { type Narrowed, Nothing } from '#ui/lists/narrowed.tsx';
import { type Column, DataTable } from '#ui/lists/table.tsx';
import { Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';

/** A row of what an operation lists page by page. */
type RowOf<Id extends PagedId> = ReturnType<typeof rowsOf<Id>>[number];

/** A list that is read further with _Show more_, declared once: its screen shows it, and everything about it follows. */
export interface LogDefinition<Id extends PagedId, Filter extends AnyFilter> extends Narrowed<Filter> {
  /** What could not be loaded, as a title. */
  title: string;
  /** What its rows are called, if it is not the title. */
  caption?: string;
  one: string;
  /** Where an s is not enough. */
  many?: string;
  operation: Id;
  pageSize: number;
  /** What the server calls a filter, where its name is not that of the address. */
  as?: { [Key in keyof Filter]?: string };
  /** Without columns there are cards on every screen. */
  columns?: Column<RowOf<Id>>[];
  Card: ComponentType<{ row: RowOf<Id> }>;
  /** The file of everything that matches. */
  csv?: Id extends keyof typeof api.stream ? string : never;
  skeletonRows?: number;
  /** Two lines in a row. */
  tall?: boolean;
}

export const defineLog = <const Id extends PagedId, Filter extends AnyFilter>(log: LogDefinition<Id, Filter>) => log;

/** A filter and what changes it, as the address of a screen has them. */
type LogPlace<Filter> = readonly [Filter, (changed: Partial<Filter>) => unknown];
const nowhere = [{}, () => undefined] as const;

type QueryOptions<Id extends PagedId> = UseInfiniteQueryOptions<
  PageOf<Id>,
  Error,
  unknown,
  readonly unknown[],
  string | null
>;

/** What the query of a log has besides its filter and pages. */
type Further<Id extends PagedId> = Pick<QueryOptions<Id>, 'enabled' | 'refetchInterval'> & { path?: object };

/** What a log has at a place so far; read anew whenever its screen is opened. */
export function useLog<Id extends PagedId, Filter extends AnyFilter>(
  of: LogDefinition<Id, Filter>,
  place?: LogPlace<NoInfer<Filter>>,
  { path, ...options }: Further<Id> = {},
) {
  const [filter, onFilter] = place ?? (nowhere as unknown as LogPlace<Filter>);
  const query = Object.fromEntries(setIn(filter, absent(of.filters)).map((key) => [of.as?.[key] ?? key, filter[key]]));
  const input = { ...(path ? { path } : {}), query: { ...query, limit: of.pageSize } };
  const list = useInfiniteQuery({
    ...pages(of.operation, input as unknown as InputOf<Id>),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    ...(options as object),
  });
  const rows = list.data?.pages.flatMap((page) => rowsOf<Id>(page));
  return { of, filter, onFilter, query, list, rows, first: list.data?.pages[0] };
}

/** A declared log, as far as it was read. */
export type LogAt<Id extends PagedId, Filter extends AnyFilter> = ReturnType<typeof useLog<Id, Filter>>;

interface LogProps<Id extends PagedId, Filter extends AnyFilter> {
  log: LogAt<Id, Filter>;
  /** What is above the rows, also while they load, such as figures. */
  head?: ReactNode;
  /** What is below the rows, in place of the line that leads further; null where the screen has that elsewhere. */
  foot?: ReactNode;
}

/** The rows of a declared log and further ones, or why there are none. Its filters are above it, by `Filters` or `OpenFilters`. */
export function Log<Id extends PagedId, Filter extends AnyFilter>({ log, head, foot }: LogProps<Id, Filter>) {
  const { of, list, rows, first } = log;
  const { title, caption = title, one, many, columns, Card, skeletonRows = 8, tall = false } = of;
  const total = (first as { total?: number } | undefined)?.total;
  return (
    <Panel className="overflow-hidden">
      {list.isError && !rows ? (
        <Failed
          title={`${title} couldn't be loaded`}
          error={list.error}
          retry={list.refetch}
          retrying={list.isFetching}
        />
      ) : rows?.length === 0 ? (
        <Nothing at={log} />
      ) : (
        <>
          {head ? <div className="border-b border-line">{head}</div> : null}
          {columns ? (
            <DataTable
              caption={caption}
              columns={columns}
              rows={rows}
              rowKey={keyOf}
              card={(row) => <Card row={row} />}
              stale={list.isPlaceholderData}
              skeletonRows={skeletonRows}
              tall={tall}
            />
          ) : (
            <Cards caption={caption} rows={rows} Card={Card} skeletonRows={skeletonRows} />
          )}
          {rows &&
            (foot === undefined ? (
              <MoreLine list={list} shown={rows.length} total={total} one={one} many={many} />
            ) : (
              foot
            ))}
        </>
      )}
    </Panel>
  );
}

/** What has no id of its own differs in what it is. */
const keyOf = (row: unknown) => (row as { id?: string }).id ?? JSON.stringify(row);

interface CardsProps<Row> {
  caption: string;
  rows: Row[] | undefined;
  Card: ComponentType<{ row: Row }>;
  skeletonRows: number;
}

function Cards<Row>({ caption, rows, Card, skeletonRows }: CardsProps<Row>) {
  return rows ? (
    <ul aria-label={caption} className="divide-y divide-line">
      {rows.map((row) => (
        <li key={keyOf(row)} className="px-5 py-3.5">
          <Card row={row} />
        </li>
      ))}
    </ul>
  ) : (
    <div role="status" className="divide-y divide-line">
      <span className="sr-only">Loading {caption.toLowerCase()}</span>
      {Array.from({ length: skeletonRows }, (_, index) => (
        <div key={index} className="flex h-[73px] flex-col justify-center gap-2 px-5">
          <span className="skeleton h-4 w-64 max-w-full" />
          <span className="skeleton h-3.5 w-40" />
        </div>
      ))}
    </div>
  );
}
