import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '#lib/api.ts';
import { formatCount, plural } from '#lib/format/format.ts';
import { oneOf } from '#lib/navigation/search-params.ts';
import { pages } from '#lib/queries/operation.ts';
import type { Draw } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { HelpLink } from '#ui/buttons/help-link.tsx';
import { SearchInput } from '#ui/forms/search-input.tsx';
import { Select } from '#ui/forms/select.tsx';
import { FilterRow, searchClass } from '#ui/lists/filter-row.tsx';
import { ShowMore } from '#ui/lists/show-more.tsx';
import { type Column, DataTable } from '#ui/lists/table.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';
import { type DrawState, drawStates, StateBadges, stateWords } from './draw-state.tsx';

export interface DrawsFilter {
  search: string;
  state: DrawState | undefined;
}

interface DrawListProps {
  filter: DrawsFilter;
  onFilter: (filter: DrawsFilter) => void;
}

const pageSize = 20;

/** What a reseller's shop has handed out, sale by sale. */
export function DrawList({ filter, onFilter }: DrawListProps) {
  const { search, state } = filter;
  const query = { ...(search ? { search } : {}), ...(state ? { state } : {}) };
  const list = useInfiniteQuery({
    ...pages('listDraws', { query: { ...query, limit: pageSize } }),
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.pages.flatMap((page) => page.rows);
  const total = list.data?.pages[0]?.total ?? 0;
  return (
    <>
      <FilterRow
        chosen={state ? 1 : 0}
        onClear={() => onFilter({ ...filter, state: undefined })}
        search={
          <SearchInput
            value={search}
            onChange={(next) => onFilter({ ...filter, search: next })}
            placeholder="Search reference or code..."
            label="Search draws"
            className={searchClass}
          />
        }
        actions={
          <SaveButton
            file="draws.csv"
            stream={() => api.stream.listDraws({ query }, { accept: 'text/csv' })}
            disabled={total === 0}
          >
            Export CSV
          </SaveButton>
        }
      >
        <Select
          aria-label="State"
          value={state ?? ''}
          onChange={(event) => onFilter({ ...filter, state: oneOf(drawStates)(event.target.value) })}
          className="w-full sm:w-44"
        >
          <option value="">Any state</option>
          {drawStates.map((each) => (
            <option key={each} value={each}>
              {stateWords[each]}
            </option>
          ))}
        </Select>
      </FilterRow>
      <Panel className="overflow-hidden">
        {list.isError && !rows ? (
          <Failed title="Draws couldn't be loaded" error={list.error} retry={list.refetch} retrying={list.isFetching} />
        ) : rows?.length === 0 ? (
          <NoDraws filtered={Boolean(search || state)} onClear={() => onFilter({ search: '', state: undefined })} />
        ) : (
          <>
            <DataTable
              caption="Draws"
              columns={columns}
              rows={rows}
              rowKey={(row) => row.id}
              card={(row) => <DrawCard row={row} />}
              stale={list.isPlaceholderData}
            />
            {rows ? (
              <p className="figures flex min-h-14 items-center justify-between gap-3 border-t border-line px-5 py-3 text-sm text-muted">
                {rows.length < total
                  ? `${formatCount(rows.length)} of ${plural(total, 'draw')}`
                  : plural(total, 'draw')}
                <ShowMore list={list} />
              </p>
            ) : null}
          </>
        )}
      </Panel>
    </>
  );
}

function NoDraws({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return filtered ? (
    <Empty title="No draws found" action={<Button onClick={onClear}>Clear the filter</Button>}>
      No draw matches this search and state.
    </Empty>
  ) : (
    <Empty title="Nothing handed out yet" action={<HelpLink guide="draw-codes">Read how to draw codes</HelpLink>}>
      Your shop can draw a code by API at the moment of sale. Each draw appears here.
    </Empty>
  );
}

function Reference({ row }: { row: Draw }) {
  return (
    <Link
      to="/reseller/draws/$reference"
      params={{ reference: row.reference }}
      className="rounded-[3px] font-medium decoration-line-strong underline-offset-4 hover:underline"
      title={row.reference}
    >
      {row.reference}
    </Link>
  );
}

const Codes = ({ row }: { row: Draw }) =>
  row.serials.length === 1 ? (
    <code className="font-mono text-sm">{row.serials[0]?.code}</code>
  ) : (
    <span className="figures">{plural(row.quantity, 'code')}</span>
  );

const productOf = (row: Draw) => row.product_name ?? 'Deleted product';

const columns: Column<Draw>[] = [
  {
    key: 'reference',
    header: 'Reference',
    bar: '110px',
    cell: (row) => (
      <span className="block max-w-44 truncate">
        <Reference row={row} />
      </span>
    ),
  },
  {
    key: 'product',
    header: 'Product',
    bar: '140px',
    cell: (row) => (
      <span className="block max-w-52 truncate xl:max-w-72" title={`${productOf(row)}, ${row.developer_name}`}>
        {productOf(row)} <span className="text-muted">· {row.developer_name}</span>
      </span>
    ),
  },
  { key: 'codes', header: 'Codes', bar: '170px', cell: (row) => <Codes row={row} /> },
  { key: 'state', header: 'State', bar: '90px', cell: (row) => <StateBadges draw={row} /> },
  {
    key: 'at',
    header: 'Handed out',
    bar: '80px',
    cell: (row) => <TimeAgo iso={row.created_at} className="text-sm text-muted" />,
  },
];

function DrawCard({ row }: { row: Draw }) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-start justify-between gap-3">
        <span className="min-w-0 wrap-anywhere">
          <Reference row={row} />
        </span>
        <StateBadges draw={row} />
      </div>
      <Codes row={row} />
      <div className="flex justify-between gap-3 text-sm text-muted">
        <span className="wrap-anywhere">
          {productOf(row)} · {row.developer_name}
        </span>
        <TimeAgo iso={row.created_at} />
      </div>
    </div>
  );
}
