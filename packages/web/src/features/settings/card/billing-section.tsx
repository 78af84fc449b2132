import { useQuery } from '@tanstack/react-query';
import { billingConfigQuery, paymentMethodQuery, subscriptionStatusQuery } from '#lib/queries/billing.ts';
import { LinkButton } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { AccountStatus } from './account-status.tsx';
import { NoCards } from './no-cards.tsx';
import { PaymentCard } from './payment-card.tsx';
import { RemoveCard } from './remove-card.tsx';

/** The account's state, and the card that pays. */
export function BillingSection() {
  const config = useQuery(billingConfigQuery);
  const card = useQuery(paymentMethodQuery);
  const status = useQuery(subscriptionStatusQuery);
  const queries = [config, card, status];
  const broken = queries.find((query) => query.isError);
  if (broken) {
    return (
      <Panel>
        <Failed
          title="Billing couldn't be loaded"
          error={broken.error}
          retry={() => Promise.all(queries.map((query) => query.refetch()))}
          retrying={queries.some((query) => query.isFetching)}
          className="py-10"
        />
      </Panel>
    );
  }
  if (!config.data || !card.data || !status.data) {
    return (
      <div role="status">
        <span className="sr-only">Loading the billing section</span>
        <span className="skeleton block h-[174px]" />
      </div>
    );
  }
  if (!config.data.configured) {
    return (
      <Panel className="overflow-hidden">
        <AccountStatus status={status.data} />
        <div className="px-5 pb-5">
          <NoCards />
        </div>
      </Panel>
    );
  }
  return (
    <Panel className="overflow-hidden">
      <AccountStatus status={status.data} />
      <section
        aria-labelledby="current-card"
        className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4 border-t border-line p-5"
      >
        <div className="flex min-w-0 flex-col gap-1.5">
          <h3 id="current-card" className="text-sm text-muted">
            Current card
          </h3>
          {card.data.card ? <PaymentCard card={card.data.card} /> : <p>No card on file.</p>}
        </div>
        <div className="flex flex-wrap gap-2">
          <LinkButton
            to="/dashboard/settings/card"
            reloadDocument
            preload={false}
            variant={card.data.card ? 'secondary' : 'primary'}
          >
            {card.data.card ? 'Update card' : 'Add a card'}
          </LinkButton>
          {card.data.card ? <RemoveCard /> : null}
        </div>
      </section>
    </Panel>
  );
}
