import { useQuery } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { formatCount, formatExactMoney, plural } from '#lib/format/format.ts';
import { billingHistoryQuery } from '#lib/queries/billing.ts';
import { formatMonth } from '#lib/time/period.ts';
import type { BillingMonth } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { InvoiceStateBadge } from '#ui/billing/invoice-state.tsx';
import { TextLink } from '#ui/button.tsx';
import { Pagination } from '#ui/lists/pagination.tsx';
import { type Column, DataTable } from '#ui/lists/table.tsx';
import { Panel, SectionHead } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';

interface HistoryProps {
  /** One month each; the first page is the latest one. */
  page: number;
  onPage: (page: number) => void;
}

/** Every month that has something to bill, one at a time. */
export function History({ page, onPage }: HistoryProps) {
  const history = useQuery(billingHistoryQuery);
  const months = history.data;
  const at = months ? Math.min(page, Math.max(1, months.length)) : page;
  const month = months?.[at - 1];
  return (
    <section aria-labelledby="billing-history" className="mt-10">
      <SectionHead id="billing-history" title="Billing History" hint="Calendar months in UTC, one page each.">
        <SaveButton
          file="billing-history.csv"
          stream={() => api.stream.getBillingHistory({}, { accept: 'text/csv' })}
          disabled={!months || months.length === 0}
          className="max-sm:w-full"
        >
          Download CSV
        </SaveButton>
      </SectionHead>
      <Panel className="overflow-hidden">
        {history.isError ? (
          <Failed
            title="Couldn't load the billing history."
            error={history.error}
            retry={history.refetch}
            retrying={history.isFetching}
          />
        ) : months?.length === 0 ? (
          <Empty title="No billing history available.">
            A month appears here with its first redemption, refresh or subscription fee.
          </Empty>
        ) : (
          <>
            <MonthHead month={month} />
            <DataTable
              caption="What the month costs"
              columns={columns}
              rows={month && linesOf(month)}
              rowKey={(line) => line.name}
              skeletonRows={4}
            />
            <Pagination
              page={at}
              pages={months?.length ?? 1}
              summary={months ? plural(months.length, 'month') : ''}
              onPage={onPage}
            />
          </>
        )}
      </Panel>
    </section>
  );
}

function MonthHead({ month }: { month: BillingMonth | undefined }) {
  return (
    <div className="flex min-h-[60px] flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line px-5 py-4">
      <h3 className="figures text-md font-semibold">
        {month ? (
          formatMonth(`${month.month}-01`)
        ) : (
          <span className="skeleton inline-block h-5 w-36">
            <span className="sr-only">Loading the month</span>
          </span>
        )}
      </h3>
      {month?.invoice ? (
        <span className="flex flex-wrap items-center gap-3">
          <InvoiceStateBadge state={month.invoice.state} paidBy={month.invoice.paid_by} />
          <TextLink
            to="/dashboard/billing/invoices/$id"
            params={{ id: month.invoice.id }}
            className="figures whitespace-nowrap"
          >
            Invoice {month.invoice.number}
          </TextLink>
        </span>
      ) : month && !month.closed ? (
        <Badge means="The month is not over: these are the figures until now.">So far</Badge>
      ) : null}
    </div>
  );
}

interface Line {
  name: string;
  quantity: number | null;
  note: string;
  amount: number;
  sum?: true;
}

function linesOf(month: BillingMonth): Line[] {
  const average =
    month.overage_redemptions === 0
      ? 'None above the quota'
      : `${formatCount(month.overage_redemptions)} above the quota; of all, each cost ${formatExactMoney(month.avg_price_per_redemption)} on average`;
  return [
    { name: 'Subscription', quantity: null, note: month.label, amount: month.subscription_fee },
    { name: 'Redemptions', quantity: month.redemptions, note: average, amount: month.redemption_cost },
    { name: 'Refreshes', quantity: month.refresh_count, note: '', amount: month.refresh_cost },
    { name: 'Total', quantity: null, note: '', amount: month.total, sum: true },
  ];
}

const strong = (line: Line) => (line.sum ? 'font-semibold' : undefined);

const columns: Column<Line>[] = [
  { key: 'name', header: 'Item', bar: '90px', cell: (line) => <span className={strong(line)}>{line.name}</span> },
  {
    key: 'quantity',
    header: 'Quantity',
    bar: '40px',
    className: 'text-right',
    cell: (line) => (line.quantity === null ? null : <span className="figures">{formatCount(line.quantity)}</span>),
  },
  {
    key: 'note',
    header: 'Price',
    bar: '110px',
    className: 'max-sm:hidden',
    cell: (line) => <span className="figures text-muted">{line.note}</span>,
  },
  {
    key: 'amount',
    header: 'Amount',
    bar: '64px',
    className: 'text-right',
    cell: (line) => <span className={`figures ${strong(line) ?? ''}`}>{formatExactMoney(line.amount)}</span>,
  },
];
