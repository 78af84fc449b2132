import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { formatMoney, formatUtcMonth } from '#lib/format/format.ts';
import { billingConfigQuery, invoiceQuery, paymentMethodQuery } from '#lib/queries/billing.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { Invoice } from '#lib/types.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { Failed, FormError, Notice } from '#ui/states.tsx';
import { PaymentCard } from './payment-card.tsx';
import { type Confirmed, confirmWithBank } from './stripe-form.ts';

/** `paid`; `waiting`: the bank has agreed, and Stripe has not told us yet; otherwise why it was refused. */
type Outcome = 'paid' | 'waiting' | Exclude<Confirmed, null>;

async function confirm(id: string, publishableKey: string): Promise<Outcome> {
  const begun = await api.confirmInvoicePayment({ path: { id } });
  if (begun.status === 'paid' || !begun.client_secret || !begun.payment_method) return 'paid';
  const refused = await confirmWithBank(publishableKey, begun.client_secret, begun.payment_method);
  if (refused) return refused;
  // the bank has agreed, whether or not we hear of it now
  const after = await api.confirmInvoicePayment({ path: { id } }).catch(() => null);
  return after?.status === 'paid' ? 'paid' : 'waiting';
}

/** A payment that the cardholder's bank wants confirmed. */
export function ConfirmPayment({ id }: { id: string }) {
  const invoice = useQuery(invoiceQuery(id));
  return (
    <Panel className="flex flex-col gap-5 p-5 sm:p-6">
      {invoice.data ? (
        <Payment invoice={invoice.data} />
      ) : invoice.isError ? (
        <Failed
          title="The invoice couldn’t be loaded"
          error={invoice.error}
          retry={() => void invoice.refetch()}
          retrying={invoice.isFetching}
          className="py-6"
        />
      ) : (
        <div role="status" className="flex flex-col gap-3">
          <span className="sr-only">Loading the payment</span>
          <span className="skeleton h-12 w-56 max-w-full" />
          <span className="skeleton h-9 w-48" />
        </div>
      )}
    </Panel>
  );
}

function Payment({ invoice }: { invoice: Invoice }) {
  const queryClient = useQueryClient();
  const config = useQuery(billingConfigQuery);
  const card = useQuery(paymentMethodQuery);
  const key = config.data?.publishable_key;
  const pay = useMutation({
    mutationFn: () => confirm(invoice.id, key ?? ''),
    // the outcome is shown at once, however long the rest of the page takes
    onSuccess: () => void refreshAfter(queryClient, 'paymentConfirmed'),
  });
  const { number, total, state, period_start } = invoice;
  const outcome = pay.isPending ? undefined : pay.data;
  const paid = state === 'paid' || outcome === 'paid';
  return (
    <>
      <dl className="figures flex flex-wrap justify-between gap-x-8 gap-y-4">
        <div>
          <dt className="text-sm text-muted">Amount</dt>
          <dd className="mt-1 text-lg font-semibold tracking-[-0.02em]">{formatMoney(total)}</dd>
        </div>
        <div>
          <dt className="text-sm text-muted">Invoice</dt>
          <dd className="mt-1">
            <span className="whitespace-nowrap">{number}</span>, {formatUtcMonth(period_start)} (UTC)
          </dd>
        </div>
        {card.data?.card && !paid ? (
          <div>
            <dt className="text-sm text-muted">Card</dt>
            <dd className="mt-1">
              <PaymentCard card={card.data.card} />
            </dd>
          </div>
        ) : null}
      </dl>
      {paid ? (
        <Notice tone="good">{formatMoney(total)} are paid. Thank you.</Notice>
      ) : outcome === 'waiting' ? (
        <Notice tone="good">
          Your bank has confirmed the payment. The invoice shows as paid as soon as Stripe has told us.
        </Notice>
      ) : invoice.payment.confirm ? null : (
        <Notice tone="plain">Your bank does not ask for this payment to be confirmed.</Notice>
      )}
      {typeof outcome === 'object' ? <Notice>{outcome.refused}</Notice> : null}
      <FormError title="The payment could not be confirmed." error={pay.error} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {paid || outcome === 'waiting' || !invoice.payment.confirm ? (
          <LinkButton
            to="/dashboard/billing/invoices/$id"
            params={{ id: invoice.id }}
            reloadDocument
            preload={false}
            variant="secondary"
          >
            Open the invoice
          </LinkButton>
        ) : (
          <>
            <Button variant="primary" busy={pay.isPending} disabled={!key} onClick={() => pay.mutate()}>
              Confirm {formatMoney(total)}
            </Button>
            <p className="text-sm text-muted">Your bank may ask you here.</p>
          </>
        )}
      </div>
    </>
  );
}
