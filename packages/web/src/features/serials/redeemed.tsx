import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { formatMoney, plural } from '../../lib/format.ts';
import type { RedeemedSerial } from '../../lib/types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Panel } from '../../ui/page.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { SerialCode } from '../../ui/serial-code.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { isFiltered, noFilter, type SerialFilter } from './filter.ts';
import { RevokeToggle } from './revoke-toggle.tsx';

interface RedeemedProps {
  filter: SerialFilter;
  page: number;
  onPage: (page: number) => void;
  onFilter: (filter: SerialFilter) => void;
}

const pageSize = 20;

export function Redeemed({ filter, page, onPage, onFilter }: RedeemedProps) {
  const list = useQuery({
    queryKey: ['serials', 'redeemed', filter, page],
    queryFn: ({ signal }) =>
      api.listRedeemedSerials(
        { query: { page, dateRange: filter.dateRange, ...(filter.search ? { search: filter.search } : {}) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

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
    const pages = Math.max(1, Math.ceil(list.data.total / pageSize));
    return (
      <Panel>
        {list.data.total > 0 ? (
          <Empty
            title="Nothing on this page"
            action={<Button onClick={() => onPage(pages)}>Go to the last page</Button>}
          >
            There {pages === 1 ? 'is only one page' : `are only ${pages} pages`} now.
          </Empty>
        ) : isFiltered(filter) ? (
          <Empty title="No serials found" action={<Button onClick={() => onFilter(noFilter)}>Clear the filter</Button>}>
            No redeemed serial matches this search and these dates.
          </Empty>
        ) : (
          <Empty
            title="No serials found"
            action={
              <LinkButton to="/dashboard/serials" search={{ tab: 'generator' }} variant="primary">
                Generate serials
              </LinkButton>
            }
          >
            A serial appears here when a customer redeems it. Generate some and hand them out.
          </Empty>
        )}
      </Panel>
    );
  }
  return (
    <Panel className="overflow-hidden">
      <DataTable
        caption="Redeemed serials"
        columns={columns}
        rows={list.data?.rows}
        rowKey={(row) => row.id}
        card={(row) => <RedeemedCard row={row} />}
        stale={list.isPlaceholderData}
        skeletonRows={10}
        tall
      />
      {list.data ? (
        <Pagination
          page={page}
          pages={Math.max(1, Math.ceil(list.data.total / pageSize))}
          summary={plural(list.data.total, 'redeemed serial')}
          onPage={onPage}
        />
      ) : null}
    </Panel>
  );
}

const total = (row: RedeemedSerial) => {
  const amount = row.total ?? row.final_price ?? row.promo_price ?? row.sale_price ?? row.price;
  return amount === null || amount === undefined ? '–' : formatMoney(amount);
};

function Status({ row }: { row: RedeemedSerial }) {
  return (
    <Badge tone={row.revoked ? 'bad' : 'good'} className="min-w-[66px] justify-center">
      {row.revoked ? 'Revoked' : 'Active'}
    </Badge>
  );
}

function Downloads({ row }: { row: RedeemedSerial }) {
  return <span className="figures text-sm whitespace-nowrap text-muted">{row.download_count}/5 downloads</span>;
}

const columns: Column<RedeemedSerial>[] = [
  {
    key: 'date',
    header: 'Redeem Date',
    bar: '72px',
    cell: (row) => (row.redeemed_at ? <TimeAgo iso={row.redeemed_at} className="text-sm text-muted" /> : '–'),
  },
  { key: 'first', header: 'First', bar: '48px', cell: (row) => row.first_name ?? '–' },
  { key: 'last', header: 'Last', bar: '60px', cell: (row) => row.last_name ?? '–' },
  {
    key: 'email',
    header: 'Email',
    bar: '150px',
    cell: (row) => (
      <span className="block max-w-37 truncate text-muted" title={row.email ?? undefined}>
        {row.email ?? '–'}
      </span>
    ),
  },
  {
    key: 'serial',
    header: 'Serial',
    bar: '190px',
    cell: (row) => (
      <div className="flex flex-col gap-1 py-2.5">
        <SerialCode code={row.code} />
        <span className="flex items-center gap-1">
          <Status row={row} />
          <CopyButton compact text={row.code} what={row.code} className="h-6" />
          <RevokeToggle serial={row} compact />
        </span>
      </div>
    ),
  },
  {
    key: 'product',
    header: 'Product',
    bar: '110px',
    cell: (row) => (
      <>
        <span className="block max-w-36 truncate" title={row.product_name}>
          {row.product_name}
        </span>
        <Downloads row={row} />
      </>
    ),
  },
  {
    key: 'total',
    header: 'Total',
    bar: '48px',
    className: 'text-right',
    cell: (row) => <span className="figures">{total(row)}</span>,
  },
];

function RedeemedCard({ row }: { row: RedeemedSerial }) {
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex items-center justify-between gap-3">
        <SerialCode code={row.code} className="text-md" />
        <Status row={row} />
      </div>
      <div className="min-w-0">
        <p className="truncate">
          {row.first_name} {row.last_name}
        </p>
        <p className="truncate text-sm text-muted">{row.email}</p>
      </div>
      <div className="flex items-center justify-between gap-3 text-sm text-muted">
        <span className="truncate">{row.product_name}</span>
        <span className="figures flex shrink-0 gap-3">
          <Downloads row={row} />
          {total(row)}
        </span>
      </div>
      <div className="flex items-center justify-between gap-2">
        {row.redeemed_at ? <TimeAgo iso={row.redeemed_at} className="text-sm text-muted" /> : <span />}
        <span className="flex gap-1.5">
          <CopyButton text={row.code} what={row.code} />
          <RevokeToggle serial={row} />
        </span>
      </div>
    </div>
  );
}
