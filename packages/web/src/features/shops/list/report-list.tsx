import { Link } from '@tanstack/react-router';
import type { ShopDelivery } from '#lib/types.ts';
import type { Column } from '#ui/lists/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { defineLog, Log, useLog } from '#widgets/lists/log.tsx';
import { useShopLinks } from '../links.ts';
import { ReportBadge } from '../report-badge.tsx';

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

const reportLog = defineLog({
  title: 'Reports',
  one: 'report',
  operation: 'listShopDeliveries',
  pageSize: 20,
  filters: {},
  columns,
  Card: ReportCard,
  empty: { title: 'No reports yet', none: 'What the shop sends is listed here, with what was made of it.' },
  skeletonRows: 4,
});

/** The reports of a shop, and what was made of them. */
export function ReportList({ shopId }: { shopId: string }) {
  return <Log log={useLog(reportLog, undefined, { path: { id: shopId } })} />;
}
