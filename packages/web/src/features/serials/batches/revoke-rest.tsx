import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { plural } from '#lib/format/format.ts';
import { q } from '#lib/queries/operation.ts';
import type { Batch } from '#lib/types.ts';
import { KeyedButton } from '#ui/buttons/keyed-button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { useUndoChange } from '#widgets/serials/use-undo-change.ts';

/** Revokes a batch's unredeemed serials, such as when a campaign is over. */
export function RevokeRest({ batch }: { batch: Batch }) {
  const [asking, setAsking] = useState(false);
  const offerUndo = useUndoChange();
  const path = { id: batch.id };
  // The page may be older than the last redemption.
  const check = useQuery({
    ...q('revokeBatch', { path, query: { dry_run: true } }),
    enabled: asking,
    staleTime: 0,
    gcTime: 0,
  });
  const revoke = useMutation({
    mutationFn: () => api.revokeBatch({ path }),
    onSuccess: (done) => {
      setAsking(false);
      return offerUndo((count) => `Revoked ${plural(count, 'serial')}`, [done]);
    },
    onError: (error) => notify.error("The batch couldn't be revoked.", error),
  });
  const count = check.data?.count;
  return (
    <>
      <KeyedButton
        does="revoke"
        variant="danger-outline"
        disabled={batch.open + batch.handed_out === 0}
        onClick={() => setAsking(true)}
      >
        Revoke the unredeemed rest
      </KeyedButton>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={`Revoke the unredeemed rest of ${batch.batch_tag ?? batch.product_name}?`}
        action={count === undefined ? 'Revoke' : `Revoke ${plural(count, 'serial')}`}
        busy={revoke.isPending}
        blocked={!count}
        onConfirm={() => revoke.mutate()}
      >
        <p className="figures min-h-11">
          {count === undefined
            ? 'Counting the serials…'
            : count === 0
              ? 'Nothing is left to revoke.'
              : `${plural(count, 'serial')} can no longer be redeemed. Serials that customers have redeemed are not affected.`}
        </p>
        {batch.handed_out > 0 && (
          <p className="figures">
            {plural(batch.handed_out, 'serial')} of this batch {batch.handed_out === 1 ? 'is' : 'are'} handed out:
            customers hold the codes, which stop working too.
          </p>
        )}
        <FormError error={check.error} />
      </Confirm>
    </>
  );
}
