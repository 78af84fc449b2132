import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { isStatus } from '#lib/errors.ts';
import { formatCount, formatMoney, plural } from '#lib/format/format.ts';
import { q } from '#lib/queries/operation.ts';
import { formatShortMonth } from '#lib/time/period.ts';
import type { ImportProof } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { FigureCard, FigureCards } from '#ui/figures/figure-cards.tsx';
import { type Column, DataTable } from '#ui/lists/table.tsx';
import { Panel } from '#ui/page.tsx';
import { Failed, Notice } from '#ui/states.tsx';

type Month = ImportProof['months'][number];

/** The import compared with its file: on one page, to print. */
export function ProofSection({ id }: { id: string }) {
  const proof = useQuery(q('getImportProof', { path: { id } }));
  // imports of before there were proofs have none
  if (isStatus(proof.error, 404)) return null;
  return (
    <section className="mb-8" aria-label="Compared with the file">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold">Compared with the file</h2>
        <Button size="sm" className="print:hidden" disabled={!proof.data} onClick={() => window.print()}>
          <Printer className="-ml-0.5 size-4" aria-hidden />
          Print
        </Button>
      </div>
      {proof.data ? (
        <Compared proof={proof.data} />
      ) : proof.isError ? (
        <Panel>
          <Failed
            title="The comparison couldn't be loaded"
            error={proof.error}
            retry={proof.refetch}
            retrying={proof.isFetching}
          />
        </Panel>
      ) : (
        <div role="status">
          <span className="sr-only">Comparing</span>
          <span className="skeleton block h-11 rounded-md" />
          <span className="skeleton mt-4 block h-28 rounded-lg" />
        </div>
      )}
    </section>
  );
}

function Compared({ proof }: { proof: ImportProof }) {
  const { whole, summary, file, here, months, time_zone } = proof;
  const kind = proof.import.kind;
  return (
    <div className="flex flex-col gap-4">
      <Notice tone={whole ? 'good' : 'warn'}>{summary}</Notice>
      <Panel className="overflow-hidden">
        <FigureCards>
          <FigureCard name="Here now" value={formatCount(here.count)}>
            of {plural(file.lines, 'line')}
          </FigureCard>
          <FigureCard name="Sales" value={here.amount === null ? '–' : formatMoney(here.amount)}>
            {file.amount === null ? 'This kind has none' : `of ${formatMoney(file.amount)}`}
          </FigureCard>
          <FigureCard name="Open" value={kind === 'customers' ? '–' : formatCount(here.open)}>
            Nobody has redeemed them
          </FigureCard>
          <FigureCard name="Redeemed" value={kind === 'customers' ? '–' : formatCount(here.redeemed)}>
            {here.revoked > 0 ? `${formatCount(here.revoked)} revoked` : 'None revoked'}
          </FigureCard>
        </FigureCards>
      </Panel>
      {months.length > 0 ? (
        <Panel className="overflow-hidden">
          <DataTable
            caption={`Sales by month, ${time_zone.replaceAll('_', ' ')}`}
            columns={columns}
            rows={months}
            rowKey={({ month }) => month}
          />
        </Panel>
      ) : null}
      {file.unpriced > 0 ? (
        <p className="text-sm text-muted">
          {plural(file.unpriced, 'line')} without a price {file.unpriced === 1 ? 'was' : 'were'} booked at what the
          product cost.
        </p>
      ) : null}
    </div>
  );
}

/** One side of a comparison. A difference is marked, also for a screen reader. */
function Side({ text, differs = false, small = false }: { text: string; differs?: boolean; small?: boolean }) {
  return (
    <span className={cn('figures block', small && 'text-sm text-muted', differs && 'font-semibold text-warn')}>
      {text}
      {differs ? <span className="sr-only">, differs</span> : null}
    </span>
  );
}

const columns: Column<Month>[] = [
  {
    key: 'month',
    header: 'Month',
    cell: ({ month }) => <span className="whitespace-nowrap">{formatShortMonth(`${month}-01`)}</span>,
  },
  {
    key: 'file',
    header: 'In the file',
    className: 'text-right',
    cell: ({ file_count, file_amount }) => (
      <>
        <Side text={formatMoney(file_amount)} />
        <Side text={plural(file_count, 'sale')} small />
      </>
    ),
  },
  {
    key: 'here',
    header: 'Here',
    className: 'text-right',
    cell: ({ count, file_count, amount, file_amount }) => (
      <>
        <Side text={formatMoney(amount)} differs={amount !== file_amount} />
        <Side text={plural(count, 'sale')} differs={count !== file_count} small />
      </>
    ),
  },
];
