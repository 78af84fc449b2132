import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { planQuery } from '#lib/queries/account.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { planNames } from '#ui/billing/plan-tile.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';

/** Also where it is refused: the dialog shows what to do instead before anybody tries. */
export function RemoveCard() {
  const plan = useQuery(planQuery);
  const needed = plan.data && plan.data.slug !== 'free' ? planNames(plan.data)[0] : null;
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.removePaymentMethod(),
    onSuccess: async () => {
      setOpen(false);
      await refreshAfter(queryClient, 'cardChanged');
      notify.success('Card removed.');
    },
  });
  return (
    <>
      <Button variant="danger-outline" onClick={() => setOpen(true)}>
        Remove
      </Button>
      <Confirm
        open={open}
        onOpenChange={(next) => {
          setOpen(next);
          remove.reset();
        }}
        title="Remove this card?"
        action="Remove card"
        busy={remove.isPending}
        blocked={!plan.data || needed !== null}
        onConfirm={() => remove.mutate()}
      >
        <p>
          {needed
            ? `Your plan, ${needed}, needs a card. Enter another one to replace it, or switch to Starter first.`
            : 'Stripe forgets it. Every plan but Starter needs a card, so you can’t switch to one without entering another.'}
        </p>
        <FormError title="The card couldn’t be removed." error={remove.error} />
      </Confirm>
    </>
  );
}
