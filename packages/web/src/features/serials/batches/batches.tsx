import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../../lib/api.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { keys } from '../../../lib/queries/keys.ts';
import type { Batch } from '../../../lib/types.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/page.tsx';
import { Pagination } from '../../../ui/pagination.tsx';
import { SearchInput } from '../../../ui/search-input.tsx';
import { Empty, Failed } from '../../../ui/states.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { BatchBar } from './batch-share.tsx';

interface BatchesProps {
  search: string;
  page: number;
  cursor: string | undefined;
  onSearch: (search: string) => void;
  onPage: (page: number, cursor?: string) => void;
}

const pageSize = 20;
/** The cursors of the pages seen in this tab, because cursors only lead forward. */
const cameFrom = new Map<string, string | undefined>();

export function Batches({ search, page, cursor, onSearch, onPage }: BatchesProps) {
  const list = useQuery({
    queryKey: keys.serials.batchList(search, cursor),
    queryFn: ({ signal }) =>
      api.listBatches(
        { query: { limit: pageSize, ...(search ? { search } : {}), ...(cursor ? { cursor } : {}) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  const { data } = list;

  const turn = (next: number) => {
    if (next > page && data?.next_cursor) {
      cameFrom.set(data.next_cursor, cursor);
      return onPage(next, data.next_cursor);
    }
    const before = cursor && cameFrom.has(cursor);
    return before ? onPage(next, cameFrom.get(cursor)) : onPage(1);
  };

  return (
    <>
      <SearchInput
        value={search}
        onChange={onSearch}
        placeholder="Search product, tag, reseller..."
        label="Search batches"
        className="mb-4 w-full sm:max-w-[400px]"
      />
      <Panel className="overflow-hidden">
        {list.isError ? (
          <Failed
            title="Batches couldn't be loaded"
            error={list.error}
            retry={list.refetch}
            retrying={list.isFetching}
          />
        ) : data?.rows.length === 0 ? (
          <NoBatches search={search} later={page > 1} onSearch={onSearch} onFirst={() => onPage(1)} />
        ) : (
          <>
            <DataTable
              caption="Batches"
              columns={columns}
              rows={data?.rows}
              rowKey={(row) => row.id}
              card={(row) => <BatchCard row={row} />}
              stale={list.isPlaceholderData}
            />
            {data ? (
              <Pagination
                page={page}
                pages={data.next_cursor ? Math.max(page + 1, Math.ceil(data.total / pageSize)) : page}
                summary={plural(data.total, 'batch', 'batches')}
                onPage={turn}
              />
            ) : null}
          </>
        )}
      </Panel>
    </>
  );
}

interface NoBatchesProps {
  search: string;
  later: boolean;
  onSearch: (search: string) => void;
  onFirst: () => void;
}

function NoBatches({ search, later, onSearch, onFirst }: NoBatchesProps) {
  if (later) {
    return (
      <Empty title="Nothing on this page" action={<Button onClick={onFirst}>Go to the first page</Button>}>
        There are fewer batches now.
      </Empty>
    );
  }
  return search ? (
    <Empty title="No batches found" action={<Button onClick={() => onSearch('')}>Clear the search</Button>}>
      No batch matches this product, tag or reseller.
    </Empty>
  ) : (
    <Empty
      title="No batches yet"
      action={
        <LinkButton to="/dashboard/serials" search={{ tab: 'generator' }} variant="primary">
          Generate serials
        </LinkButton>
      }
    >
      Serials you generate or import together are kept as a batch here, with their current state.
    </Empty>
  );
}

function Name({ row }: { row: Batch }) {
  return (
    <Link
      to="/dashboard/batches/$batchId"
      params={{ batchId: row.id }}
      className="rounded-[3px] font-medium decoration-line-strong underline-offset-4 hover:underline"
      title={row.product_name}
    >
      {row.product_name}
      <span className="sr-only">
        , {plural(row.quantity, 'serial')}
        {row.batch_tag ? `, ${row.batch_tag}` : ''}
      </span>
    </Link>
  );
}

const number = (value: number) => <span className="figures">{formatCount(value)}</span>;

const columns: Column<Batch>[] = [
  {
    key: 'product',
    header: 'Product',
    bar: '140px',
    cell: (row) => (
      <span className="block max-w-56 truncate">
        <Name row={row} />
      </span>
    ),
  },
  {
    key: 'tag',
    header: 'Tag',
    bar: '80px',
    cell: (row) => (
      <span className="block max-w-40 truncate" title={row.batch_tag ?? undefined}>
        {row.batch_tag ?? (row.origin === 'import' ? <span className="text-muted">Imported</span> : '–')}
      </span>
    ),
  },
  {
    key: 'reseller',
    header: 'Reseller',
    bar: '90px',
    cell: (row) => (
      <span className="block max-w-36 truncate text-muted" title={row.reseller_name ?? undefined}>
        {row.reseller_name ?? '–'}
      </span>
    ),
  },
  {
    key: 'made',
    header: 'Made',
    bar: '80px',
    cell: (row) => <TimeAgo iso={row.created_at} className="text-sm text-muted" />,
  },
  { key: 'quantity', header: 'Quantity', className: 'text-right', cell: (row) => number(row.quantity) },
  { key: 'open', header: 'Open', className: 'text-right', cell: (row) => number(row.open) },
  { key: 'redeemed', header: 'Redeemed', className: 'text-right', cell: (row) => number(row.redeemed) },
  { key: 'revoked', header: 'Revoked', className: 'text-right', cell: (row) => number(row.revoked) },
];

function BatchCard({ row }: { row: Batch }) {
  const parts = [row.origin === 'import' ? 'Imported' : null, row.reseller_name].filter(Boolean);
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex items-start justify-between gap-3">
        <span className="min-w-0 break-words">
          <Name row={row} />
        </span>
        {row.batch_tag ? <Badge className="max-w-40 truncate">{row.batch_tag}</Badge> : null}
      </div>
      <BatchBar batch={row} />
      <div className="flex justify-between gap-3 text-sm text-muted">
        <span className="truncate">{parts.join(' · ')}</span>
        <TimeAgo iso={row.created_at} />
      </div>
      <p className="figures text-sm text-muted">
        {plural(row.quantity, 'serial')}: {formatCount(row.open)} open,{' '}
        {row.handed_out > 0 ? `${formatCount(row.handed_out)} handed out, ` : ''}
        {formatCount(row.redeemed)} redeemed, {formatCount(row.revoked)} revoked
      </p>
    </div>
  );
}
