import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { plural } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { Draw } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { notify } from '#ui/toast.ts';

/** Puts the codes of a canceled sale back into stock. */
export function ReturnCodes({ draw }: { draw: Draw }) {
  const [asking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const open = draw.states.handed_out;
  const giveBack = useMutation({
    mutationFn: () => api.returnDraw({ path: { reference: draw.reference }, body: {} }),
    onSuccess: ({ returned, not_returned }) => {
      setAsking(false);
      refreshAfter(queryClient, 'drawReturned');
      const kept = not_returned.length > 0 ? ` ${plural(not_returned.length, 'code')} stayed out.` : '';
      notify.success(`Returned ${plural(returned.length, 'code')}.${kept}`);
    },
    onError: (error) => notify.error("The codes couldn't be returned.", error),
  });
  if (open === 0) return null;
  return (
    <>
      <Button variant="danger-outline" onClick={() => setAsking(true)}>
        Return {plural(open, 'code')}
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={`Return the codes of ${draw.reference}?`}
        action={`Return ${plural(open, 'code')}`}
        busy={giveBack.isPending}
        onConfirm={() => giveBack.mutate()}
      >
        <p>
          Returned codes go back into stock and can be handed out to somebody else. Return only codes that no customer
          has, or that a customer has given back. Codes that were redeemed stay with their customers.
        </p>
      </Confirm>
    </>
  );
}
