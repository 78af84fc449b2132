import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../../lib/api.ts';
import { plural } from '../../../lib/format.ts';
import { keys } from '../../../lib/queries/keys.ts';
import { refreshAfter } from '../../../lib/queries/refresh.ts';
import type { RedeemedPage, RedeemedSerial } from '../../../lib/types.ts';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { CountedPages } from '../../../ui/counted-pages.tsx';
import { isFiltered, type ListFilter, noFilter } from '../../../ui/filter-bar.tsx';
import { Panel } from '../../../ui/page.tsx';
import { SelectionBar, useSelection } from '../../../ui/selection.tsx';
import { Empty, Failed } from '../../../ui/states.tsx';
import { DataTable } from '../../../ui/table.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { RedeemedCard, redeemedColumns } from './redeemed-rows.tsx';
import { useNewRedemptions } from './use-new-redemptions.ts';

interface RedeemedProps {
  filter: ListFilter;
  page: number;
  onPage: (page: number) => void;
  onFilter: (filter: ListFilter) => void;
}

const skeletonRows = 20;

export function Redeemed({ filter, page, onPage, onFilter }: RedeemedProps) {
  const queryClient = useQueryClient();
  const list = useQuery({
    queryKey: keys.redeemed.list(filter, page),
    queryFn: ({ signal }) =>
      api.listRedeemedSerials(
        { query: { page, dateRange: filter.dateRange, ...(filter.search ? { search: filter.search } : {}) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    // new redemptions have their own notice
    refetchOnWindowFocus: false,
  });
  const selection = useSelection<RedeemedSerial>((row) => row.id);
  const { clear } = selection;
  // biome-ignore lint/correctness/useExhaustiveDependencies: selected rows may be hidden under another filter
  useEffect(clear, [filter.search, filter.dateRange]);
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

  if (list.isError) {
    return (
      <Panel>
        <Failed
          title="Redeemed serials couldn't be loaded"
          error={list.error}
          retry={list.refetch}
          retrying={list.isFetching}
        />
      </Panel>
    );
  }
  if (list.data?.rows.length === 0) {
    return (
      <Panel>
        <NoRows data={list.data} filter={filter} onPage={onPage} onFilter={onFilter} />
        {news ? <div className="flex justify-center pb-8">{news}</div> : null}
      </Panel>
    );
  }
  return (
    <Panel className="overflow-hidden">
      <SelectionBar
        selection={selection}
        rows={list.data?.rows ?? []}
        one="serial"
        actions={<BulkActions selection={selection} />}
      >
        {news}
      </SelectionBar>
      <DataTable
        caption="Redeemed serials"
        columns={redeemedColumns(selection)}
        rows={list.data?.rows}
        rowKey={(row) => row.id}
        card={(row) => <RedeemedCard row={row} selection={selection} />}
        stale={list.isPlaceholderData}
        skeletonRows={skeletonRows}
        tall
      />
      {list.data ? <CountedPages data={list.data} what="redeemed serial" page={page} onPage={onPage} /> : null}
    </Panel>
  );
}

function NoRows({ data, filter, onPage, onFilter }: Omit<RedeemedProps, 'page'> & { data: RedeemedPage }) {
  if (data.total > 0) {
    const pages = Math.max(1, Math.ceil(data.total / data.page_size));
    return (
      <Empty title="Nothing on this page" action={<Button onClick={() => onPage(pages)}>Go to the last page</Button>}>
        There {pages === 1 ? 'is only one page' : `are only ${pages} pages`} now.
      </Empty>
    );
  }
  if (isFiltered(filter)) {
    return (
      <Empty title="No serials found" action={<Button onClick={() => onFilter(noFilter)}>Clear the filter</Button>}>
        No redeemed serial matches this search and these dates.
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
