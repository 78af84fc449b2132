import { useState } from 'react';
import { api } from '#lib/api.ts';
import { formatMoney } from '#lib/format/format.ts';
import type { PayoutSide } from '#lib/queries/payouts.ts';
import type { PayoutDetail } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { type Column, DataTable } from '#ui/lists/table.tsx';
import { Panel } from '#ui/page.tsx';
import { WordsDialog } from '#widgets/forms/form-dialog.tsx';
import { usePayoutChange } from './use-payout-change.ts';

type Payment = PayoutDetail['payments'][number];

/** What was paid for a statement. A payment that was recorded by mistake gets a counter-entry. */
export function PayoutPayments({ side, payout }: { side: PayoutSide; payout: PayoutDetail }) {
  const [reversing, setReversing] = useState<Payment | null>(null);
  const reverse = usePayoutChange(
    (reason: string) => api.reversePayoutPayment({ path: { id: payout.id, n: reversing?.n ?? 0 }, body: { reason } }),
    { done: 'Payment reversed.', onDone: () => setReversing(null) },
  );
  if (payout.payments.length === 0) return null;
  const reversed = new Set(payout.payments.map(({ reverses }) => reverses));
  const details = (row: Payment) =>
    row.reverses
      ? `Takes back payment ${row.reverses}: ${row.reason}`
      : [row.method, row.reference].filter(Boolean).join(' · ');
  const button = (row: Payment) =>
    side === 'developer' && row.reverses === null && !reversed.has(row.n) ? (
      <Button size="sm" className="print:hidden" onClick={() => setReversing(row)}>
        Reverse<span className="sr-only"> payment {row.n}</span>
      </Button>
    ) : null;
  const columns: Column<Payment>[] = [
    { key: 'n', header: 'No.', cell: (row) => <span className="figures">{row.n}</span> },
    { key: 'on', header: 'Paid on', cell: (row) => <span className="figures whitespace-nowrap">{row.paid_on}</span> },
    {
      key: 'amount',
      header: 'Amount',
      className: 'text-right',
      cell: (row) => <span className="figures">{formatMoney(row.amount)}</span>,
    },
    { key: 'details', header: 'Details', cell: (row) => <span className="wrap-anywhere">{details(row)}</span> },
    { key: 'reverse', header: 'Reverse', quiet: true, className: 'text-right', cell: button },
  ];
  return (
    <section className="mt-8">
      <h2 className="mb-3 font-semibold">Payments</h2>
      <Panel>
        <DataTable
          caption="Payments"
          rows={payout.payments}
          rowKey={(row) => String(row.n)}
          columns={columns}
          card={(row) => (
            <div className="flex flex-col gap-1">
              <span className="figures flex justify-between gap-3">
                <span>{row.paid_on}</span>
                <span className="font-medium">{formatMoney(row.amount)}</span>
              </span>
              <span className="text-sm wrap-anywhere text-muted">{details(row)}</span>
              <span>{button(row)}</span>
            </div>
          )}
        />
      </Panel>
      <WordsDialog
        open={reversing !== null}
        onOpenChange={(open) => {
          if (!open) setReversing(null);
        }}
        title={`Reverse the payment of ${formatMoney(reversing?.amount ?? 0)}?`}
        description="The payment stays on the statement, with a counter-entry and your reason. The reseller gets an email."
        label="Reason"
        missing="Enter a reason."
        action="Reverse payment"
        save={reverse.mutateAsync}
      />
    </section>
  );
}
