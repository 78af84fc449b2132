import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ShopDelivery } from '#lib/types.ts';
import { ShowMore } from '#ui/lists/show-more.tsx';
import { type Column, DataTable } from '#ui/lists/table.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { useShopLinks } from '../links.ts';
import { ReportBadge } from '../report-badge.tsx';
import { deliveriesQuery } from '../shop-queries.ts';

/** What came from a shop, and what was made of it. */
export function ReportList({ shopId }: { shopId: string }) {
  const list = useInfiniteQuery(deliveriesQuery(shopId));
  const rows = list.data?.pages.flatMap((page) => page.rows);
  return (
    <Panel className="overflow-hidden">
      {list.isError && !rows ? (
        <Failed title="Reports couldn't be loaded" error={list.error} retry={list.refetch} retrying={list.isFetching} />
      ) : rows?.length === 0 ? (
        <Empty title="No reports yet">What the shop sends is listed here, with what was made of it.</Empty>
      ) : (
        <>
          <DataTable
            caption="Reports"
            columns={columns}
            rows={rows}
            rowKey={(row) => row.id}
            card={(row) => <ReportCard row={row} />}
            skeletonRows={4}
          />
          {list.hasNextPage ? (
            <div className="border-t border-line px-5 py-3">
              <ShowMore list={list} />
            </div>
          ) : null}
        </>
      )}
    </Panel>
  );
}

function OrderLink({ row }: { row: ShopDelivery }) {
  const links = useShopLinks();
  if (row.order_id === null) return row.order_key ?? '–';
  return (
    <Link
      to={links.order}
      params={{ id: row.order_id }}
      className="rounded-[3px] decoration-line-strong underline-offset-4 hover:underline"
    >
      {row.order_number ?? row.order_key}
    </Link>
  );
}

const columns: Column<ShopDelivery>[] = [
  {
    key: 'event',
    header: 'Report',
    bar: '140px',
    cell: (row) => <span className="font-mono text-sm wrap-anywhere">{row.event}</span>,
  },
  {
    key: 'order',
    header: 'Order',
    bar: '80px',
    cell: (row) => (
      <span className="block max-w-40 truncate">
        <OrderLink row={row} />
      </span>
    ),
  },
  { key: 'state', header: 'State', bar: '70px', cell: (row) => <ReportBadge state={row.state} why={row.why} /> },
  {
    key: 'why',
    header: 'Why',
    bar: '120px',
    className: 'w-2/5',
    cell: (row) => <span className="line-clamp-2 text-sm text-muted">{row.why ?? ''}</span>,
  },
  { key: 'at', header: 'Came', bar: '70px', cell: (row) => <TimeAgo iso={row.received_at} className="text-sm" /> },
];

function ReportCard({ row }: { row: ShopDelivery }) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-center justify-between gap-3">
        <span className="min-w-0 font-mono text-sm wrap-anywhere">{row.event}</span>
        <ReportBadge state={row.state} why={row.why} />
      </div>
      <p className="flex flex-wrap justify-between gap-x-3 text-sm text-muted">
        <span className="wrap-anywhere">
          <OrderLink row={row} />
        </span>
        <TimeAgo iso={row.received_at} />
      </p>
      {row.why ? <p className="text-sm text-muted">{row.why}</p> : null}
    </div>
  );
}
