import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { api } from '#lib/api.ts';
import { plural } from '#lib/format/format.ts';
import { numberedPage } from '#lib/lists/trail.ts';
import { viewFilter } from '#lib/lists/view-filter.ts';
import { q } from '#lib/queries/operation.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import type { RedeemedPage } from '#lib/types.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { CountedPages } from '#ui/lists/counted-pages.tsx';
import { isFiltered, noFilter } from '#ui/lists/filter-bar.tsx';
import { ListFrame } from '#ui/lists/list-frame.tsx';
import { NoPage } from '#ui/lists/no-page.tsx';
import { Empty } from '#ui/states.tsx';
import { ViewsMenu } from '#widgets/lists/views-menu.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { filterQuery, hasChosen, type RedeemedFilter, unchosen } from './redeemed-filter.ts';
import { columns, RedeemedCard } from './redeemed-rows.tsx';
import { useNewRedemptions } from './use-new-redemptions.ts';

interface RedeemedProps {
  filter: RedeemedFilter;
  page: number;
  sort: RedeemedSort;
  onPage: (page: number) => void;
  /** Another order comes with the filter of a view. */
  onFilter: (filter: RedeemedFilter, sort?: string) => void;
  onSort: (sort: RedeemedSort) => void;
  onCreate: () => void;
}

type RedeemedSort = NonNullable<NonNullable<Parameters<typeof api.listRedeemedSerials>[0]>['query']>['sort'];

export function Redeemed({ filter, page, sort, onPage, onFilter, onSort, onCreate }: RedeemedProps) {
  const queryClient = useQueryClient();
  const list = useQuery({
    ...q('listRedeemedSerials', { query: { page, ...filterQuery(filter), ...(sort ? { sort } : {}) } }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    // new redemptions have their own notice
    refetchOnWindowFocus: false,
  });
  const [firstReadAt, setFirstReadAt] = useState(0);
  useEffect(() => {
    if (page === 1 && !list.isPlaceholderData) setFirstReadAt(list.dataUpdatedAt);
  }, [page, list.isPlaceholderData, list.dataUpdatedAt]);
  const fresh = useNewRedemptions(firstReadAt);

  const showFresh = () => {
    onPage(1);
    refreshAfter(queryClient, 'redeemedAskedFor');
  };
  const news =
    fresh > 0 ? (
      <Button size="sm" variant="ghost" onClick={showFresh} className="text-accent-text" aria-live="polite">
        {plural(fresh, 'new redemption')} – Show
      </Button>
    ) : null;

  const { data } = list;
  return (
    <ListFrame
      table="redeemed serials"
      caption="Redeemed serials"
      one="serial"
      failed="Redeemed serials couldn't be loaded"
      list={list}
      rows={data?.rows}
      rowKey={(row) => row.id}
      nameOf={(row) => row.code}
      columns={columns}
      card={(row, pick) => <RedeemedCard row={row} pick={pick} />}
      sort={{ by: sort ?? '-redeemed_at', onSort: (by) => onSort(by as RedeemedSort) }}
      which={JSON.stringify(filter)}
      matching={data && { total: data.total, exact: data.total_exact }}
      actions={(picked) => <BulkActions picked={picked} filter={filter} />}
      news={news}
      views={(columns) => (
        <ViewsMenu
          list="redeemed"
          filter={viewFilter(filterQuery(filter), sort)}
          columns={columns}
          onApply={({ sort: order = '', ...view }) => onFilter({ ...noFilter, ...unchosen, ...view }, order)}
        />
      )}
      trail={
        data && {
          kind: 'serials',
          list: 'redeemed',
          query: { ...filterQuery(filter), ...(sort ? { sort } : {}) },
          total: data.total,
          exact: data.total_exact,
          page: numberedPage(page, data.rows.length, data),
        }
      }
      empty={data ? <NoRows data={data} filter={filter} onPage={onPage} onFilter={onFilter} /> : null}
      footer={data ? <CountedPages data={data} what="redeemed serial" page={page} onPage={onPage} /> : null}
      onCreate={onCreate}
    />
  );
}

type NoRowsProps = Pick<RedeemedProps, 'filter' | 'onPage' | 'onFilter'> & { data: RedeemedPage };

function NoRows({ data, filter, onPage, onFilter }: NoRowsProps) {
  if (data.total > 0) return <NoPage data={data} onPage={onPage} />;
  if (isFiltered(filter) || hasChosen(filter)) {
    return (
      <Empty
        title="No serials found"
        action={<Button onClick={() => onFilter({ ...noFilter, ...unchosen })}>Clear the filter</Button>}
      >
        No redeemed serial matches the search, the dates and the filters.
      </Empty>
    );
  }
  return (
    <Empty
      title="No serials found"
      action={
        <LinkButton to="/dashboard/serials" search={{ tab: 'generator' }} variant="primary">
          Generate serials
        </LinkButton>
      }
    >
      A serial appears here when a customer redeems it. Generate some and hand them out, or import what you sold
      elsewhere.
    </Empty>
  );
}
