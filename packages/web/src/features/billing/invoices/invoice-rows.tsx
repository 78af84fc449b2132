import { api } from '#lib/api.ts';
import { formatMoney, formatUtcDay, formatUtcMonth } from '#lib/format/format.ts';
import type { InvoiceSummary } from '#lib/types.ts';
import { InvoiceStateBadge, isOwed } from '#ui/billing/invoice-state.tsx';
import { TextLink } from '#ui/button.tsx';
import type { Column } from '#ui/lists/table.tsx';
import { UtcDay } from '#ui/time-ago.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';

function InvoiceLink({ invoice }: { invoice: InvoiceSummary }) {
  return (
    <TextLink to="/dashboard/billing/invoices/$id" params={{ id: invoice.id }} className="figures whitespace-nowrap">
      {invoice.number}
    </TextLink>
  );
}

export function InvoicePdf({ invoice, label }: { invoice: Pick<InvoiceSummary, 'id' | 'number'>; label?: string }) {
  return (
    <SaveButton
      size={label ? 'md' : 'sm'}
      file={`invoice-${invoice.number}.pdf`}
      stream={() => api.stream.downloadInvoicePdf({ path: { id: invoice.id } }, { accept: 'application/pdf' })}
    >
      {label ?? (
        <>
          PDF<span className="sr-only"> of invoice {invoice.number}</span>
        </>
      )}
    </SaveButton>
  );
}

/** What the day of its payment is called. */
export const paidOn = ({ paid_by }: Pick<InvoiceSummary, 'paid_by'>) =>
  paid_by === 'next_invoice' ? 'Added on' : 'Paid on';

const dueOf = (invoice: InvoiceSummary) => (isOwed(invoice.state) ? invoice.total : 0);

const right = 'text-right';

export const invoiceColumns: Column<InvoiceSummary>[] = [
  { key: 'number', header: 'Invoice', bar: '80px', cell: (row) => <InvoiceLink invoice={row} /> },
  { key: 'month', header: 'Month (UTC)', bar: '90px', cell: (row) => formatUtcMonth(row.period_start) },
  { key: 'plan', header: 'Plan', bar: '60px', cell: (row) => row.plan_name.replace(/ \(.*\)$/, '') },
  {
    key: 'total',
    header: 'Amount',
    bar: '56px',
    className: right,
    cell: (row) => <span className="figures">{formatMoney(row.total)}</span>,
  },
  {
    key: 'due',
    header: 'Due',
    bar: '56px',
    className: right,
    cell: (row) => <span className="figures">{formatMoney(dueOf(row))}</span>,
  },
  {
    key: 'state',
    header: 'State',
    bar: '64px',
    cell: (row) => <InvoiceStateBadge state={row.state} paidBy={row.paid_by} />,
  },
  {
    key: 'paid',
    header: 'Paid on (UTC)',
    bar: '80px',
    cell: (row) => <span className="figures text-muted">{row.paid_at ? <UtcDay iso={row.paid_at} /> : '–'}</span>,
  },
  {
    key: 'pdf',
    header: 'PDF',
    quiet: true,
    bar: '56px',
    className: right,
    cell: (row) => <InvoicePdf invoice={row} />,
  },
];

export function InvoiceCard({ row: invoice }: { row: InvoiceSummary }) {
  const due = dueOf(invoice);
  return (
    <div className="flex flex-col gap-1.5">
      <span className="flex flex-wrap items-center justify-between gap-2">
        <InvoiceLink invoice={invoice} />
        <InvoiceStateBadge state={invoice.state} paidBy={invoice.paid_by} />
      </span>
      <span>
        {formatUtcMonth(invoice.period_start)} · {invoice.plan_name}
      </span>
      <span className="figures flex flex-wrap items-center justify-between gap-2 text-sm text-muted">
        <span>
          {formatMoney(invoice.total)}
          {due > 0 ? `, ${formatMoney(due)} due` : ''}
          {invoice.paid_at ? `, ${paidOn(invoice).toLowerCase()} ${formatUtcDay(invoice.paid_at)} (UTC)` : ''}
        </span>
        <InvoicePdf invoice={invoice} />
      </span>
    </div>
  );
}
