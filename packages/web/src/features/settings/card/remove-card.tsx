import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../lib/api.ts';
import { refreshAfter } from '../../../lib/queries/refresh.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { FormError } from '../../../ui/states.tsx';
import { notify } from '../../../ui/toast.ts';

export function RemoveCard() {
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
        onConfirm={() => remove.mutate()}
      >
        <p>
          Stripe forgets it. Every plan but Starter needs a card, so you can’t switch to one without entering another.
        </p>
        <FormError title="The card couldn’t be removed." error={remove.error} />
      </Confirm>
    </>
  );
}
