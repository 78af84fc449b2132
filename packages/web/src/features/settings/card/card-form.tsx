import { useQuery, useQueryClient } from '@tanstack/react-query';
import { formatMoney, toDollars } from '#lib/format/format.ts';
import { subscriptionStatusQuery } from '#lib/queries/billing.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { Button } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { FormError, Notice } from '#ui/states.tsx';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';
import { useStripeForm } from './stripe-form.ts';

interface CardFormProps {
  publishableKey: string;
  clientSecret: string;
  onSaved: () => void;
}

/** Stripe's own fields: what is typed into them goes from the browser to Stripe, and never through our server. */
export function CardForm({ publishableKey, clientSecret, onSaved }: CardFormProps) {
  const queryClient = useQueryClient();
  const { data: status } = useQuery(subscriptionStatusQuery);
  const owed = status && status.status !== 'uncollectible' ? status.amount_due : 0;
  const { mount, state, complete, retry, confirm } = useStripeForm(publishableKey, clientSecret);
  // the typed values belong to Stripe
  const form = useSavedForm({
    values: {},
    save: confirm,
    onSaved: async (confirmed) => {
      if (confirmed) return;
      await refreshAfter(queryClient, 'cardChanged');
      onSaved();
    },
  });
  if (state === 'failed') {
    return (
      <div className="flex flex-col items-start gap-4">
        <Notice>
          <strong className="font-semibold">Stripe’s card form couldn’t be loaded.</strong> Something between you and
          js.stripe.com may be blocking it, such as an ad blocker or a company network. Nothing else is affected.
        </Notice>
        <Button onClick={retry}>Try again</Button>
      </div>
    );
  }
  return (
    <form {...form.frame} className="flex flex-col gap-5" aria-busy={state === 'loading' || form.busy}>
      <div className="relative min-h-[148px]">
        {state === 'loading' ? (
          <div role="status" className="absolute inset-0 flex flex-col gap-3">
            <span className="sr-only">Loading Stripe’s card form</span>
            <span className="skeleton h-4 w-28" />
            <span className="skeleton h-11" />
            <div className="grid grid-cols-2 gap-3">
              <span className="skeleton h-11" />
              <span className="skeleton h-11" />
            </div>
          </div>
        ) : null}
        <div ref={mount} className={cn(state === 'loading' && 'opacity-0')} />
      </div>
      {form.answer ? <Notice>{form.answer.refused}</Notice> : null}
      <FormError title="Your card could not be saved." error={form.failure} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" variant="primary" busy={form.busy} disabled={state !== 'ready' || !complete}>
          Save card
        </Button>
        <p className="text-sm text-muted">
          {owed > 0
            ? `What is unpaid, ${formatMoney(toDollars(owed))}, is charged to it at once.`
            : 'Nothing is charged now.'}
        </p>
      </div>
    </form>
  );
}
