import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount, formatMoney, plural } from '#lib/format/format.ts';
import { pages } from '#lib/queries/operation.ts';
import type { Circulation as Answer } from '#lib/types.ts';
import { ShowMore } from '#ui/lists/show-more.tsx';
import { type Column, DataTable } from '#ui/lists/table.tsx';
import { Panel } from '#ui/page.tsx';
import { Parts } from '#ui/parts.tsx';
import { Failed } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';

type Row = Answer['rows'][number];

const pageSize = 20;

/** The state of the serials that a reseller was given, by batch. */
export function Circulation({ id }: { id: string }) {
  const list = useInfiniteQuery(pages('getResellerCirculation', { path: { id }, query: { limit: pageSize } }));
  const rows = list.data?.pages.flatMap((page) => page.rows);
  const totals = list.data?.pages[0]?.totals;
  return (
    <section className="mt-8" aria-label="Circulation">
      <h2 className="font-semibold">Circulation</h2>
      <p className="figures mb-3 min-h-5 text-sm text-muted">
        {totals
          ? `${plural(totals.given, 'serial')} given: ${formatCount(totals.open)} open, ${formatCount(totals.handed_out)} handed out, ${formatCount(totals.redeemed)} redeemed, ${formatCount(totals.revoked)} revoked. ${refundsOf(totals)}`
          : null}
      </p>
      <Panel className="overflow-hidden">
        {list.isError && !rows ? (
          <Failed
            title="Circulation couldn't be loaded"
            error={list.error}
            retry={list.refetch}
            retrying={list.isFetching}
          />
        ) : rows?.length === 0 ? (
          <p className="px-5 py-6 text-center text-muted">You have given this reseller no serials yet.</p>
        ) : (
          <>
            <DataTable
              caption="Circulation by batch"
              columns={columns}
              rows={rows}
              rowKey={(row) => row.batch_id}
              skeletonRows={3}
              card={(row) => <BatchCard row={row} />}
            />
            {list.hasNextPage ? (
              <p className="flex justify-end border-t border-line px-5 py-3">
                <ShowMore list={list} words="Show more batches" />
              </p>
            ) : null}
          </>
        )}
      </Panel>
    </section>
  );
}

const Name = ({ row }: { row: Row }) => (
  <Link
    to="/dashboard/batches/$batchId"
    params={{ batchId: row.batch_id }}
    className="rounded-[3px] font-medium decoration-line-strong underline-offset-4 hover:underline"
  >
    {row.product_name}
    {row.batch_tag ? <span className="font-normal text-muted"> · {row.batch_tag}</span> : null}
  </Link>
);

/** What was given back, of what was redeemed. */
const refundsOf = ({ refunds, redeemed, refunded, refund_rate }: Answer['totals']) =>
  refunds === 0
    ? 'No refunds.'
    : `${plural(refunds, 'refund')} of ${formatCount(redeemed)} redeemed (${refund_rate}%), ${formatMoney(refunded)} in all.`;

const counted: [keyof Answer['totals'] | 'in_files', string][] = [
  ['given', 'Given'],
  ['open', 'Open'],
  ['in_files', 'In files'],
  ['handed_out', 'Handed out'],
  ['redeemed', 'Redeemed'],
  ['revoked', 'Revoked'],
];

const columns: Column<Row>[] = [
  {
    key: 'batch',
    header: 'Batch',
    bar: '150px',
    cell: (row) => (
      <span className="block max-w-64 truncate">
        <Name row={row} />
      </span>
    ),
  },
  ...counted.map(
    ([key, header]): Column<Row> => ({
      key,
      header,
      className: 'text-right',
      cell: (row) => <span className="figures">{formatCount(row[key])}</span>,
    }),
  ),
  {
    key: 'refunds',
    header: 'Refunds',
    className: 'text-right',
    cell: (row) => (
      <span className="figures" title={`${formatCount(row.refunds)} of ${formatCount(row.redeemed)} redeemed`}>
        {row.refund_rate}%
      </span>
    ),
  },
];

function BatchCard({ row }: { row: Row }) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-start justify-between gap-3">
        <span className="min-w-0 wrap-anywhere">
          <Name row={row} />
        </span>
        <TimeAgo iso={row.created_at} className="text-sm text-muted" />
      </div>
      <p className="figures text-sm text-muted">
        <Parts
          separator=","
          of={[
            ...counted.map(([key, label]) => `${formatCount(row[key])} ${label.toLowerCase()}`),
            `${row.refund_rate}% refunded`,
          ]}
        />
      </p>
    </div>
  );
}
