import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { AnswerOf, OperationId } from '@tonerow/sdk';
import { Download } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { useAsked } from '#lib/keyboard/palette-requests.ts';
import { queryOf, type WordFilter } from '#lib/lists/list-filter.ts';
import type { ListPlace } from '#lib/lists/list-place.ts';
import { cursorPage, numberedPage, type TrailPlace } from '#lib/lists/trail.ts';
import { absent } from '#lib/navigation/search-params.ts';
import { page, q } from '#lib/queries/operation.ts';
import type { View } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { CountedPages } from '#ui/lists/counted-pages.tsx';
import { CursorPages } from '#ui/lists/cursor-pages.tsx';
import { Days } from '#ui/lists/days.tsx';
import { Filters } from '#ui/lists/filters.tsx';
import { ListFrame, type Picked } from '#ui/lists/list-frame.tsx';
import { type Narrowed, Nothing } from '#ui/lists/narrowed.tsx';
import { NoPage } from '#ui/lists/no-page.tsx';
import type { Column } from '#ui/lists/table.tsx';
import { Empty } from '#ui/states.tsx';
import { ChoiceFilters, type ChoiceKind, type CountsQuery } from './choice-filters.tsx';
import { useSave } from './use-save.ts';
import { ViewsMenu } from './views-menu.tsx';

/** A row of what an operation lists. */
export type RowOf<Id extends OperationId> =
  AnswerOf<Id> extends readonly (infer Row)[]
    ? Row
    : AnswerOf<Id> extends { rows: readonly (infer Row)[] } | { customers: readonly (infer Row)[] }
      ? Row
      : never;

/** A long list, declared once: its screen shows it at a place, and everything about it follows. */
export interface ListDefinition<Id extends OperationId, Filter extends WordFilter> extends Narrowed<Filter> {
  /** Under which its views are kept. Without it there are none. */
  name?: View['list'];
  /** What its rows are, as a title. */
  title: string;
  one: string;
  /** Where an s is not enough. */
  many?: string;
  /** What its total counts, if the title alone does not show it. */
  counted?: string;
  operation: Id;
  /** Parts of the query that no filter changes. */
  always?: object;
  /** Rows of a page, where pages go by cursors. Without it they are numbered. */
  pageSize?: number;
  /** A filter as the server takes it, if not without what is as usual. */
  query?: (filter: Filter) => WordFilter;
  /** The usual order, where rows can be sorted. */
  order?: string;
  /** Filters that combine. */
  kinds?: readonly ChoiceKind<keyof Filter & string>[];
  /** How many rows each choice of them leaves. */
  counts?: (filter: Filter) => CountsQuery;
  columns: Column<RowOf<Id>>[];
  Card: ComponentType<{ row: RowOf<Id>; pick: ReactNode }>;
  nameOf: (row: RowOf<Id>) => string;
  /** What can be done with the rows that are picked, or with all that match. Without it nothing can be picked. */
  Actions?: ComponentType<{ picked: Picked<RowOf<Id>>; filter: Filter; exportAll: ReactNode }>;
  /** Everything that matches, as a file. */
  csv?: { file: string; read: (query: object) => Promise<Response> };
  /** Its records lead to each other. */
  trail?: Pick<TrailPlace, 'kind' | 'list'>;
  /** Is read again whenever its screen is opened, and not when the window is. */
  fresh?: boolean;
  skeletonRows?: number;
  /** Two lines in a row. */
  tall?: boolean;
}

export const defineList = <const Id extends OperationId, Filter extends WordFilter>(list: ListDefinition<Id, Filter>) =>
  list;

/** A page of a list, whether its pages are numbered or go by cursors. */
interface Answer<Row> {
  rows: Row[];
  total: number;
  total_exact?: boolean;
  /** Only where pages are numbered. */
  page_size?: number;
  time_zone?: string;
  next_cursor?: string | null;
}

/** One operation calls its rows customers. */
type Read<Row> = Answer<Row> | (Omit<Answer<Row>, 'rows'> & { customers: Row[] });
type Numbered<Row> = Required<Omit<Answer<Row>, 'next_cursor'>>;

/** The page of a list at a place. */
export function listQuery<Id extends OperationId, Filter extends WordFilter>(
  list: ListDefinition<Id, Filter>,
  { filter, sort, page: at, cursor }: Pick<ListPlace<NoInfer<Filter>>, 'filter' | 'sort' | 'page' | 'cursor'>,
): UseQueryOptions<Read<RowOf<Id>>, Error, Answer<RowOf<Id>>> {
  const query = {
    ...(list.pageSize === undefined ? { page: at } : { limit: list.pageSize, ...(cursor ? { cursor } : {}) }),
    ...list.always,
    ...filterOf(list, filter),
    ...orderOf(list, sort),
  };
  const read = list.pageSize === undefined ? q : page;
  return {
    ...(read as (id: OperationId, input: object) => UseQueryOptions<Read<RowOf<Id>>, Error, Read<RowOf<Id>>>)(
      list.operation,
      { query },
    ),
    placeholderData: keepPreviousData,
    select: (data) => ('customers' in data ? { ...data, rows: data.customers } : data),
    ...(list.fresh ? { refetchOnMount: 'always' as const, refetchOnWindowFocus: false } : {}),
  };
}

const filterOf = <Filter extends WordFilter>(list: { query?: (filter: Filter) => WordFilter }, filter: Filter) =>
  queryOf(list.query ? list.query(filter) : filter);
const orderOf = ({ order }: { order?: string }, sort: string | undefined) =>
  queryOf({ sort: sort === order ? undefined : sort });

interface ListProps<Id extends OperationId, Filter extends WordFilter> {
  of: ListDefinition<Id, Filter>;
  place: ListPlace<NoInfer<Filter>>;
  /** What is done with the whole list, beside the filters. */
  children?: ReactNode;
  /** Shown in the bar while nothing is selected. */
  news?: ReactNode;
  onCreate?: (() => void) | undefined;
}

/** A declared list at a place: filters, rows, pages, and what is there when there is nothing. */
export function List<Id extends OperationId, Filter extends WordFilter>(props: ListProps<Id, Filter>) {
  const { of, place: at, children, news, onCreate } = props;
  // a page that nothing leads to is the first one
  const place = of.pageSize !== undefined && !at.cursor ? { ...at, page: 1 } : at;
  const { filter, sort, onFilter, onSort } = place;
  const list = useQuery(listQuery(of, place));
  const { data } = list;
  const { name, kinds, counts, Card, Actions } = of;
  const query: Record<string, string> = { ...filterOf(of, filter), ...orderOf(of, sort) };
  const show = ({ sort: order = '', ...view }: Record<string, string>) =>
    onFilter({ ...absent(of.filters), ...view } as Partial<Filter>, order);
  const count = data && { total: data.total, exact: data.total_exact ?? true };
  return (
    <>
      <Filters at={{ of, filter, onFilter }} many={kinds !== undefined} actions={children}>
        {filter.dateRange === undefined ? null : (
          <Days filter={{ dateRange: filter.dateRange }} onFilter={(days) => onFilter({ ...filter, ...days })} />
        )}
        {kinds && counts ? (
          <ChoiceFilters
            kinds={kinds}
            value={filter}
            onChange={(chosen) => onFilter({ ...filter, ...chosen })}
            counts={counts(filter)}
          />
        ) : null}
      </Filters>
      <ListFrame<RowOf<Id>>
        table={of.title.toLowerCase()}
        caption={of.title}
        one={of.one}
        {...(of.many ? { many: of.many } : {})}
        failed={`${of.title} couldn't be loaded`}
        list={list}
        rows={data?.rows}
        rowKey={(row) => (row as { id: string }).id}
        nameOf={of.nameOf}
        columns={of.columns}
        card={(row, pick) => <Card row={row} pick={pick} />}
        {...(of.order ? { sort: { by: sort || of.order, onSort } } : {})}
        which={JSON.stringify(filter)}
        matching={count}
        {...(Actions
          ? {
              actions: (picked) => (
                <Actions
                  picked={picked}
                  filter={filter}
                  exportAll={<ExportList of={of} filter={filter} sort={sort} small />}
                />
              ),
            }
          : {})}
        news={news}
        {...(name
          ? { views: (columns) => <ViewsMenu list={name} filter={query} columns={columns} onApply={show} /> }
          : {})}
        trail={data && trailOf(of, place, query, data)}
        empty={data ? <NoRows of={of} place={place} data={data} /> : null}
        footer={data ? <Pages of={of} place={place} data={data} /> : null}
        onCreate={onCreate}
        skeletonRows={of.skeletonRows ?? 20}
        tall={of.tall ?? false}
      />
    </>
  );
}

type Paged = Pick<ListDefinition<OperationId, WordFilter>, 'trail' | 'pageSize'>;

function trailOf<Row>(
  { trail, pageSize }: Paged,
  { page, cursor }: { page: number; cursor: string | undefined },
  query: object,
  data: Answer<Row>,
): TrailPlace | undefined {
  if (!trail) return undefined;
  const of = { ...trail, query, total: data.total, exact: data.total_exact ?? true };
  return pageSize === undefined
    ? { ...of, page: numberedPage(page, data.rows.length, data as Numbered<Row>) }
    : { ...of, page: cursorPage(cursor, (page - 1) * pageSize, data.next_cursor ?? null) };
}

interface PartProps<Id extends OperationId, Filter extends WordFilter> {
  of: ListDefinition<Id, Filter>;
  place: ListPlace<Filter>;
  data: Answer<RowOf<Id>>;
}

function Pages<Id extends OperationId, Filter extends WordFilter>({ of, place, data }: PartProps<Id, Filter>) {
  const { one, many, pageSize } = of;
  const { page, cursor, onPage } = place;
  if (pageSize === undefined)
    return <CountedPages data={data as Numbered<RowOf<Id>>} what={of.counted ?? one} page={page} onPage={onPage} />;
  return (
    <CursorPages
      data={{ ...data, next_cursor: data.next_cursor ?? null }}
      pageSize={pageSize}
      one={one}
      {...(many ? { many } : {})}
      page={page}
      cursor={cursor}
      onPage={onPage}
    />
  );
}

/** Why there are no rows: the page lies behind the last one, nothing matches, or there is nothing yet. */
function NoRows<Id extends OperationId, Filter extends WordFilter>({ of, place, data }: PartProps<Id, Filter>) {
  const { filter, page, onFilter, onPage } = place;
  if (of.pageSize === undefined && data.total > 0) return <NoPage data={data as Numbered<RowOf<Id>>} onPage={onPage} />;
  if (of.pageSize !== undefined && page > 1) {
    return (
      <Empty title="Nothing on this page" action={<Button onClick={() => onPage(1)}>Go to the first page</Button>}>
        There are fewer {of.many ?? `${of.one}s`} now.
      </Empty>
    );
  }
  return <Nothing at={{ of, filter, onFilter }} />;
}

interface ExportListProps<Id extends OperationId, Filter extends WordFilter> {
  of: ListDefinition<Id, Filter>;
  filter: Filter;
  sort?: string | undefined;
  /** Beside the actions on what is picked. */
  small?: boolean;
}

/** Saves everything that matches the filter, in the order of the list. */
export function ExportList<Id extends OperationId, Filter extends WordFilter>(props: ExportListProps<Id, Filter>) {
  const { of, filter, sort, small = false } = props;
  const query = { ...filterOf(of, filter), ...orderOf(of, sort) };
  const save = useSave(of.csv?.file ?? '', () => of.csv?.read(query) ?? Promise.reject(new Error('no file')));
  useAsked('export', () => save.mutate());
  return (
    <Button onClick={() => save.mutate()} busy={save.isPending} {...(small ? { size: 'sm' } : {})}>
      <Download className="-ml-0.5 size-4" aria-hidden />
      {small ? 'Export all' : 'Export CSV'}
    </Button>
  );
}
