import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../lib/api.ts';
import { formatMoney, plural } from '../lib/format.ts';
import { keys } from '../lib/queries/keys.ts';
import { refreshAfter } from '../lib/queries/refresh.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { FormError } from '../ui/states.tsx';
import { notify } from '../ui/toast.ts';

type RedeemedQuery = Parameters<typeof api.changeRedeemedSerials>[0]['body']['filter'];
type Action = 'revoke' | 'reassign' | 'reset_downloads';

const words: Record<Action, { act: string; done: string; explain: string }> = {
  revoke: {
    act: 'Revoke',
    done: 'Revoked',
    explain: 'Redemption, downloads and licensing stop at once. No money moves, and you can reassign them later.',
  },
  reassign: { act: 'Reassign', done: 'Reassigned', explain: 'They work again at once. No money moves.' },
  reset_downloads: {
    act: 'Reset downloads of',
    done: 'Reset the downloads of',
    explain: 'Their customers can download five times again.',
  },
};

interface MatchingChangeProps {
  /** As the server takes it. */
  filter: RedeemedQuery;
  asked: Action | null;
  onClose: () => void;
  onDone: () => void;
}

/** Changes all redeemed serials that match the filter on the server, after showing how many there are and what it costs. */
export function MatchingChange({ filter, asked, onClose, onDone }: MatchingChangeProps) {
  const queryClient = useQueryClient();
  const body = (action: Action, dry_run: boolean) => ({ action, filter, dry_run });
  const preview = useQuery({
    queryKey: keys.redeemed.preview(asked, filter),
    queryFn: ({ signal }) => api.changeRedeemedSerials({ body: body(asked as Action, true) }, { signal }),
    enabled: asked !== null,
    staleTime: 0,
    gcTime: 0,
  });
  const change = useMutation({
    mutationFn: (action: Action) => api.changeRedeemedSerials({ body: body(action, false) }),
    onSuccess: ({ count, cost }, action) => {
      onClose();
      onDone();
      const price = cost > 0 ? ` This cost ${formatMoney(cost)}.` : '';
      notify.success(`${words[action].done} ${plural(count, 'serial')}.${price}`);
      if (cost > 0) refreshAfter(queryClient, 'refreshCharged');
      refreshAfter(queryClient, 'serialsChanged');
      return refreshAfter(queryClient, 'redeemedAskedFor');
    },
    onError: (error) => notify.error('Nothing was changed.', error),
  });
  const { act, explain } = words[asked ?? 'revoke'];
  const found = preview.data;
  const price = found && found.cost > 0 ? ` (${formatMoney(found.cost)})` : '';
  return (
    <Confirm
      open={asked !== null}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={found ? `${act} ${plural(found.count, 'serial')}?` : `${act} everything that matches?`}
      action={found ? `${act} ${plural(found.count, 'serial')}${price}` : act}
      plain={asked === 'reassign'}
      blocked={!found || found.count === 0}
      busy={change.isPending}
      onConfirm={() => asked && change.mutate(asked)}
    >
      <p>{explain}</p>
      {preview.isError ? (
        <div className="flex flex-col items-start gap-3">
          <FormError title="We couldn't check what would change." error={preview.error} />
          <Button size="sm" onClick={() => preview.refetch()} busy={preview.isFetching}>
            Retry
          </Button>
        </div>
      ) : found ? (
        found.skipped > 0 ? (
          <p>{plural(found.skipped, 'serial')} that match would stay as they are.</p>
        ) : null
      ) : (
        <span className="skeleton block h-4 w-56" />
      )}
    </Confirm>
  );
}
