import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTitle } from '#lib/hooks.ts';
import { useOwnDocument } from '#lib/navigation/document-policy.ts';
import {
  billingConfigQuery,
  cardSetupQuery,
  invoiceQuery,
  paymentMethodQuery,
  subscriptionStatusQuery,
} from '#lib/queries/billing.ts';
import { BackLink, Button, LinkButton } from '#ui/button.tsx';
import { PageHeader, Panel } from '#ui/page.tsx';
import { Failed, Notice } from '#ui/states.tsx';
import { CardForm } from './card-form.tsx';
import { ConfirmPayment } from './confirm-payment.tsx';
import { NoCards } from './no-cards.tsx';
import { PaymentCard } from './payment-card.tsx';

/**
 * The screen on which a card is entered. It is a screen of its own, because only its document may load Stripe's script.
 * Entering and leaving it loads a document: its links do that, and `useOwnDocument` makes sure of it.
 */
export function CardScreen({ invoice }: { invoice: string | undefined }) {
  useOwnDocument();
  const card = useQuery(paymentMethodQuery);
  const toConfirm = usePaymentToConfirm(invoice);
  const asked = useQuery({ ...invoiceQuery(toConfirm ?? ''), enabled: toConfirm !== undefined });
  const isPaid = asked.data?.state === 'paid';
  const { data: config } = useQuery(billingConfigQuery);
  const taken = config?.configured ?? true;
  const title = titleOf({ toConfirm, taken, known: Boolean(card.data?.card) });
  useTitle(title);
  return (
    <div className="max-w-xl">
      <BackLink to="/dashboard/settings" hash="billing" reloadDocument preload={false} className="mb-5">
        Settings
      </BackLink>
      {toConfirm ? (
        <>
          <PageHeader title={title}>
            {isPaid
              ? 'Payment complete. Nothing is due for this invoice.'
              : 'Your bank declined the charge because it wants to ask you first. Nothing is charged twice.'}
          </PageHeader>
          <ConfirmPayment id={toConfirm} />
          <h2 className="mt-8 mb-3 font-semibold">{isPaid ? 'Another card' : 'Or pay with another card'}</h2>
        </>
      ) : (
        <PageHeader title={title}>
          {taken
            ? 'It pays your subscription and overage, once a month. Stripe keeps it; its number never reaches this server.'
            : null}
        </PageHeader>
      )}
      <Panel className="flex flex-col gap-6 p-5 sm:p-6">
        {taken ? <Current /> : null}
        <EnterCard />
      </Panel>
    </div>
  );
}

function titleOf({ toConfirm, taken, known }: { toConfirm: string | undefined; taken: boolean; known: boolean }) {
  if (toConfirm) return 'Confirm your payment';
  if (!taken) return 'Cards';
  return known ? 'Update your card' : 'Add a card';
}

/** The invoice that the address names, or the newest that the bank asks about; for as long as the screen is open. */
function usePaymentToConfirm(invoice: string | undefined): string | undefined {
  const { data: status } = useQuery(subscriptionStatusQuery);
  const [id, setId] = useState(invoice);
  const asked = status?.attention === 'confirm_payment' ? status.invoice_id : null;
  if (id === undefined && asked) setId(asked);
  return id;
}

function Current() {
  const card = useQuery(paymentMethodQuery);
  return (
    <div className="flex flex-col gap-1.5">
      <h2 className="text-sm text-muted">Current card</h2>
      {card.isError ? (
        <p className="text-bad">Your card couldn’t be loaded.</p>
      ) : !card.data ? (
        <span className="skeleton h-6 w-56 max-w-full" />
      ) : card.data.card ? (
        <PaymentCard card={card.data.card} />
      ) : (
        <p>No card on file.</p>
      )}
    </div>
  );
}

function EnterCard() {
  const config = useQuery(billingConfigQuery);
  const ready = config.data?.configured ?? false;
  const setup = useQuery({ ...cardSetupQuery, enabled: ready });
  const [saved, setSaved] = useState(false);
  if (config.data && !config.data.configured) return <NoCards />;
  if (saved) {
    return (
      <div className="flex flex-col gap-5">
        <Notice tone="good">Payment method updated successfully!</Notice>
        <div className="flex flex-wrap gap-2">
          <LinkButton to="/dashboard/settings" hash="billing" reloadDocument preload={false} variant="primary">
            Back to Settings
          </LinkButton>
          <Button
            onClick={async () => {
              // a secret works once
              await setup.refetch();
              setSaved(false);
            }}
          >
            Enter another card
          </Button>
        </div>
      </div>
    );
  }
  const broken = [config, setup].find((query) => query.isError && (!query.data || query === setup));
  if (broken) {
    return (
      <Failed
        title="The card form couldn’t be loaded"
        error={broken.error}
        retry={() => void broken.refetch()}
        retrying={broken.isFetching}
        className="py-8"
      />
    );
  }
  if (!config.data?.publishable_key || !setup.data || setup.isFetching) {
    return (
      <div role="status" className="flex flex-col gap-3">
        <span className="sr-only">Loading the card form</span>
        <span className="skeleton h-11" />
        <span className="skeleton h-24" />
      </div>
    );
  }
  return (
    <CardForm
      key={setup.data.client_secret}
      publishableKey={config.data.publishable_key}
      clientSecret={setup.data.client_secret}
      onSaved={() => setSaved(true)}
    />
  );
}
