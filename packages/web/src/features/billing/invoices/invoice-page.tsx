import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { api } from '#lib/api.ts';
import { printPage } from '#lib/files/print-page.ts';
import { formatCount, formatMoney, formatUtcMonth } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import { invoiceQuery } from '#lib/queries/billing.ts';
import type { Invoice } from '#lib/types.ts';
import { InvoiceLines } from '#ui/billing/invoice-lines.tsx';
import { InvoiceStateBadge, isOwed, paidFacts } from '#ui/billing/invoice-state.tsx';
import { BackLink, Button } from '#ui/button.tsx';
import { OneThing } from '#ui/details/detail-frame.tsx';
import { Facts } from '#ui/details/facts.tsx';
import { TotalsPanel } from '#ui/figures/totals-panel.tsx';
import { UtcDay } from '#ui/time-ago.tsx';
import { useTask } from '#widgets/lists/use-save.ts';
import { InvoicePdf } from './invoice-rows.tsx';
import { UnpaidNotice } from './unpaid-notice.tsx';

/** One month's invoice with its lines. */
export function InvoicePage({ id }: { id: string }) {
  const query = useQuery(invoiceQuery(id));
  const invoice = query.data;
  useTitle(invoice ? `Invoice ${invoice.number}` : 'Invoice');
  return (
    <>
      <BackLink to="/dashboard/billing/invoices" search={{}} className="mb-5">
        Invoices
      </BackLink>
      <OneThing query={query} found={invoice} what="invoice">
        {(found) => <Paper invoice={found} />}
      </OneThing>
    </>
  );
}

function Paper({ invoice }: { invoice: Invoice }) {
  const { party, state, paid_at, paid_by, payment } = invoice;
  const totals: [string, ReactNode][] = [
    ['Amount', formatMoney(invoice.total)],
    ['Due', formatMoney(isOwed(state) ? invoice.total : 0)],
    ['Issued (UTC)', <UtcDay key="issued" iso={invoice.closed_at} />],
  ];
  if (paid_at) {
    const how = paid_by === 'next_invoice' ? 'Added to balance on (UTC)' : 'Paid on (UTC)';
    totals.push([how, <UtcDay key="paid" iso={paid_at} />]);
  }
  return (
    <>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 className="figures text-xl font-semibold tracking-[-0.025em]">
            Invoice <span className="whitespace-nowrap">{invoice.number}</span>
          </h1>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
            <span>{formatUtcMonth(invoice.period_start)} (UTC)</span>
            <InvoiceStateBadge state={state} paidBy={paid_by} />
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <InvoicePdf
            invoice={invoice}
            label={state === 'paid' && paid_by !== 'next_invoice' ? 'Receipt as PDF' : 'PDF'}
          />
          <PrintButton id={invoice.id} />
        </div>
      </header>
      <UnpaidNotice invoice={invoice} />
      <TotalsPanel totals={totals} />
      <section className="mt-8">
        <h2 className="mb-3 font-semibold">Charges</h2>
        <InvoiceLines
          total={invoice.total}
          lines={invoice.lines.map(({ unit_price, ...line }) => ({
            ...line,
            price: unit_price,
          }))}
        />
      </section>
      <section className="mt-8">
        <h2 className="mb-1 font-semibold">Details</h2>
        <Facts
          facts={[
            ...paidFacts(paid_by, payment.charged, payment.balance_before),
            ['Billed to', party.company ?? party.name],
            ['Name', party.company ? party.name : null],
            ['Email', party.email],
            ['Address', party.address],
            ['Tax id', party.tax_id],
            ['Plan at the end of the month', invoice.plan_name],
            ['Redemptions', formatCount(invoice.redemptions)],
            ['Redemptions above the quota', formatCount(invoice.overage_redemptions)],
            ['Refreshed download counts', formatCount(invoice.refresh_count)],
          ]}
        />
        <p className="mt-3 text-sm text-muted">
          Name, address and tax id are those of the moment when the month was closed. These figures never change.
        </p>
      </section>
    </>
  );
}

function PrintButton({ id }: { id: string }) {
  const print = useTask(async () => {
    const page = await api.stream.printInvoice({ path: { id } }, { accept: 'text/html' });
    await printPage(await page.text());
  }, "The invoice couldn't be printed.");
  return (
    <Button onClick={() => print.mutate()} busy={print.isPending}>
      <Printer className="size-4" aria-hidden />
      Print
    </Button>
  );
}
