import { useQuery } from '@tanstack/react-query';
import { formatCount } from '#lib/format/format.ts';
import { q } from '#lib/queries/operation.ts';
import type { BatchStage } from '#lib/types.ts';
import { type Column, DataTable } from '#ui/lists/table.tsx';
import { Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';

const names: Record<BatchStage['stage'], string> = {
  generated: 'Generated',
  handed_out: 'Handed out',
  redeemed: 'Redeemed',
  activated: 'Activated',
};

const percent = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const share = (value: number) => `${percent.format(value)}%`;

/** How far the serials of a batch came: a bar for each stage, and its figures in the same row. */
export function BatchFunnel({ id }: { id: string }) {
  const funnel = useQuery(q('getBatchFunnel', { path: { id } }));
  return (
    <section aria-labelledby="batch-funnel" className="mt-8">
      <h2 id="batch-funnel" className="font-semibold">
        From code to active plugin
      </h2>
      <p className="mb-3 text-sm text-muted">A serial counts in every stage that it has reached.</p>
      <Panel className="overflow-hidden">
        {funnel.isError && !funnel.data ? (
          <Failed
            title="The stages couldn't be counted"
            error={funnel.error}
            retry={funnel.refetch}
            retrying={funnel.isFetching}
            className="py-8"
          />
        ) : (
          <DataTable
            caption="Stages"
            columns={columns}
            rows={funnel.data?.stages}
            rowKey={(row) => row.stage}
            card={(row) => <StageCard row={row} />}
            skeletonRows={3}
          />
        )}
      </Panel>
    </section>
  );
}

function Bar({ row, className }: { row: BatchStage; className: string }) {
  return (
    <span className={`block h-2 rounded-full bg-hover ${className}`} aria-hidden>
      <span
        className="block h-full rounded-full bg-accent"
        style={{ width: `${Math.min(100, row.share)}%`, minWidth: row.count > 0 ? 4 : 0 }}
      />
    </span>
  );
}

const columns: Column<BatchStage>[] = [
  {
    key: 'stage',
    header: 'Stage',
    bar: '90px',
    cell: (row) => <span className="font-medium">{names[row.stage]}</span>,
  },
  { key: 'bar', header: 'Bar', quiet: true, bar: '80%', cell: (row) => <Bar row={row} className="min-w-32" /> },
  {
    key: 'count',
    header: 'Serials',
    className: 'text-right',
    cell: (row) => <span className="figures">{formatCount(row.count)}</span>,
  },
  {
    key: 'share',
    header: 'Of all',
    className: 'text-right',
    cell: (row) => <span className="figures">{share(row.share)}</span>,
  },
  {
    key: 'previous',
    header: 'Of previous stage',
    className: 'text-right',
    cell: (row) => <span className="figures">{row.of_previous === null ? '–' : share(row.of_previous)}</span>,
  },
];

function StageCard({ row }: { row: BatchStage }) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex justify-between gap-3">
        <span className="font-medium">{names[row.stage]}</span>
        <span className="figures">
          {formatCount(row.count)} <span className="text-sm text-muted">{share(row.share)}</span>
        </span>
      </div>
      <Bar row={row} className="w-full" />
      {row.of_previous === null ? null : (
        <span className="figures text-sm text-muted">{share(row.of_previous)} of previous stage</span>
      )}
    </div>
  );
}
