import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { formatCount, formatMoney, plural } from '#lib/format/format.ts';
import { historyQuery } from '#lib/queries/sales.ts';
import { formatMonth } from '#lib/time/period.ts';
import type { CommissionMonth } from '#lib/types.ts';
import { GrowingPanel } from '#ui/lists/growing-panel.tsx';
import { type Column, DataTable } from '#ui/lists/table.tsx';
import { SectionHead } from '#ui/page.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';

/** Commission by month, developer and product. */
export function CommissionHistory() {
  const history = useInfiniteQuery(historyQuery);
  const rows = history.data?.pages.flatMap((page) => page.rows);
  const total = history.data?.pages[0]?.total ?? 0;
  return (
    <section aria-labelledby="commission-history" className="mt-10">
      <SectionHead
        id="commission-history"
        title="Commission History"
        hint="Calendar months in UTC, net of refunds. Imported redemptions are counted here, but earn no commission and are not in your statements."
      >
        <SaveButton
          file="commission_history.csv"
          stream={() => api.stream.listCommissionHistory({}, { accept: 'text/csv' })}
          disabled={total === 0}
          className="max-sm:w-full"
        >
          Export CSV
        </SaveButton>
      </SectionHead>
      <GrowingPanel
        list={history}
        rows={rows}
        total={total}
        failed="The history couldn't be loaded"
        one="row"
        nothing={{
          title: 'No commission yet',
          text: 'A month appears here with its first redemption of a serial that you were given.',
        }}
      >
        {(shown) => (
          <DataTable
            caption="Commission by month, developer and product"
            columns={columns}
            rows={shown}
            rowKey={(row) => `${row.month} ${row.developer_id} ${row.product_id}`}
            card={(row) => <MonthCard row={row} />}
            skeletonRows={6}
          />
        )}
      </GrowingPanel>
    </section>
  );
}

const rateOf = (row: CommissionMonth) => (row.commission_percent === null ? '–' : `${row.commission_percent}%`);

const columns: Column<CommissionMonth>[] = [
  {
    key: 'month',
    header: 'Month (UTC)',
    bar: '90px',
    cell: (row) => <span className="whitespace-nowrap">{formatMonth(`${row.month}-01`)}</span>,
  },
  { key: 'developer', header: 'Developer', bar: '110px', cell: (row) => <Name text={row.developer} /> },
  { key: 'product', header: 'Product', bar: '120px', cell: (row) => <Name text={row.product} /> },
  {
    key: 'redemptions',
    header: 'Redemptions',
    bar: '36px',
    className: 'text-right',
    cell: (row) => <span className="figures">{formatCount(row.redemptions)}</span>,
  },
  {
    key: 'refunds',
    header: 'Refunds',
    bar: '24px',
    className: 'text-right',
    cell: (row) => <span className="figures text-muted">{row.refunds === 0 ? '–' : formatCount(row.refunds)}</span>,
  },
  {
    key: 'rate',
    header: 'Effective Rate',
    bar: '36px',
    className: 'text-right',
    cell: (row) => <span className="figures">{rateOf(row)}</span>,
  },
  {
    key: 'commission',
    header: 'Commission',
    bar: '60px',
    className: 'text-right',
    cell: (row) => <span className="figures font-medium">{formatMoney(row.commission_total)}</span>,
  },
];

function Name({ text }: { text: string }) {
  return (
    <span className="block max-w-52 truncate" title={text}>
      {text}
    </span>
  );
}

function MonthCard({ row }: { row: CommissionMonth }) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <span className="wrap-anywhere font-medium">{row.product}</span>
        <span className="figures shrink-0 font-medium">{formatMoney(row.commission_total)}</span>
      </div>
      <p className="wrap-anywhere text-sm text-muted">{row.developer}</p>
      <p className="figures text-sm text-muted">
        {formatMonth(`${row.month}-01`)} · {plural(row.redemptions, 'redemption')} · {rateOf(row)}
        {row.refunds > 0 ? ` · ${plural(row.refunds, 'refund')}` : ''}
      </p>
    </div>
  );
}
