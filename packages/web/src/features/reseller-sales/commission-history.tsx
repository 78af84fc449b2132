import { formatCount, formatMoney, plural } from '#lib/format/format.ts';
import { formatMonth } from '#lib/time/period.ts';
import type { CommissionMonth } from '#lib/types.ts';
import type { Column } from '#ui/lists/table.tsx';
import { SectionHead } from '#ui/page.tsx';
import { ExportLog } from '#widgets/lists/export-log.tsx';
import { defineLog, Log, useLog } from '#widgets/lists/log.tsx';

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

const commissionLog = defineLog({
  title: 'The history',
  caption: 'Commission by month, developer and product',
  one: 'row',
  operation: 'listCommissionHistory',
  pageSize: 25,
  filters: {},
  columns,
  Card: MonthCard,
  csv: 'commission_history.csv',
  empty: {
    title: 'No commission yet',
    none: 'A month appears here with its first redemption of a serial that you were given.',
  },
  skeletonRows: 6,
});

/** Commission by month, developer and product. */
export function CommissionHistory() {
  const log = useLog(commissionLog);
  return (
    <section aria-labelledby="commission-history" className="mt-10">
      <SectionHead
        id="commission-history"
        title="Commission History"
        hint="Calendar months in UTC, net of refunds. Imported redemptions are counted here, but earn no commission and are not in your statements."
      >
        <ExportLog log={log} className="max-sm:w-full" />
      </SectionHead>
      <Log log={log} />
    </section>
  );
}
