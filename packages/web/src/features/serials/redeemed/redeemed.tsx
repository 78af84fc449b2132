import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../../lib/api.ts';
import { plural } from '../../../lib/format.ts';
import { keys } from '../../../lib/queries/keys.ts';
import { refreshAfter } from '../../../lib/queries/refresh.ts';
import { useRowKeys } from '../../../lib/row-keys.ts';
import type { RedeemedPage, RedeemedSerial } from '../../../lib/types.ts';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { ColumnMenu, useColumns } from '../../../ui/columns.tsx';
import { CountedPages } from '../../../ui/counted-pages.tsx';
import { isFiltered, noFilter } from '../../../ui/filter-bar.tsx';
import { Panel } from '../../../ui/page.tsx';
import { SelectionBar, useSelection } from '../../../ui/selection.tsx';
import { Empty, Failed } from '../../../ui/states.tsx';
import { DataTable } from '../../../ui/table.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { filterQuery, kinds, type RedeemedFilter, unchosen } from './redeemed-filter.ts';
import { RedeemedFilters } from './redeemed-filters.tsx';
import { RedeemedCard, redeemedColumns } from './redeemed-rows.tsx';
import { useNewRedemptions } from './use-new-redemptions.ts';

interface RedeemedProps {
  filter: RedeemedFilter;
  page: number;
  sort: RedeemedSort;
  onPage: (page: number) => void;
  onFilter: (filter: RedeemedFilter) => void;
  onSort: (sort: RedeemedSort) => void;
  onCreate: () => void;
}

type RedeemedSort = NonNullable<NonNullable<Parameters<typeof api.listRedeemedSerials>[0]>['query']>['sort'];

const skeletonRows = 20;

export function Redeemed(props: RedeemedProps) {
  return (
    <>
      <RedeemedFilters filter={props.filter} onFilter={props.onFilter} />
      <List {...props} />
    </>
  );
}

function List({ filter, page, sort, onPage, onFilter, onSort, onCreate }: RedeemedProps) {
  const queryClient = useQueryClient();
  const list = useQuery({
    queryKey: keys.redeemed.list(filter, page, sort ?? ''),
    queryFn: ({ signal }) =>
      api.listRedeemedSerials({ query: { page, ...filterQuery(filter), ...(sort ? { sort } : {}) } }, { signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    // new redemptions have their own notice
    refetchOnWindowFocus: false,
  });
  const picked = useSelection<RedeemedSerial>((row) => row.id);
  const [everything, setEverything] = useState(false);
  const { clear } = picked;
  // who ticks or unticks a row means rows again, not all that match
  const selection = {
    ...picked,
    toggle(row: RedeemedSerial) {
      setEverything(false);
      picked.toggle(row);
    },
  };
  const clearAll = () => {
    clear();
    setEverything(false);
  };
  const which = JSON.stringify(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: selected rows may be hidden under another filter
  useEffect(clearAll, [which]);
  const columns = useColumns('redeemed serials', redeemedColumns(selection));
  const box = useRef<HTMLDivElement>(null);
  useRowKeys(box, { create: onCreate });
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
  const matching =
    data && data.total > data.rows.length
      ? {
          words: data.total_exact ? plural(data.total, 'serial') : `more than ${plural(data.total, 'serial')}`,
          on: everything,
          onAll: () => setEverything(true),
          onClear: () => setEverything(false),
        }
      : undefined;

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
    <div ref={box} data-wide>
      <Panel className="overflow-clip">
        <SelectionBar
          sticky
          selection={selection}
          rows={list.data?.rows ?? []}
          one="serial"
          matching={matching}
          actions={<BulkActions selection={selection} everything={everything} filter={filter} onDone={clearAll} />}
        >
          {news}
          <ColumnMenu choices={columns.choices} onToggle={columns.toggle} />
        </SelectionBar>
        <DataTable
          caption="Redeemed serials"
          columns={columns.shown}
          sort={{ by: sort ?? '-redeemed_at', onSort: (by) => onSort(by as RedeemedSort) }}
          sticky
          rows={list.data?.rows}
          rowKey={(row) => row.id}
          card={(row) => <RedeemedCard row={row} selection={selection} />}
          stale={list.isPlaceholderData}
          skeletonRows={skeletonRows}
        />
        {list.data ? <CountedPages data={list.data} what="redeemed serial" page={page} onPage={onPage} /> : null}
      </Panel>
    </div>
  );
}

type NoRowsProps = Pick<RedeemedProps, 'filter' | 'onPage' | 'onFilter'> & { data: RedeemedPage };

function NoRows({ data, filter, onPage, onFilter }: NoRowsProps) {
  if (data.total > 0) {
    const pages = Math.max(1, Math.ceil(data.total / data.page_size));
    return (
      <Empty title="Nothing on this page" action={<Button onClick={() => onPage(pages)}>Go to the last page</Button>}>
        There {pages === 1 ? 'is only one page' : `are only ${pages} pages`} now.
      </Empty>
    );
  }
  if (isFiltered(filter) || kinds.some((kind) => filter[kind])) {
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
