import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { InputOf } from '@tonerow/sdk';
import { api } from '#lib/api.ts';
import { formatMoney, plural } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { q } from '#lib/queries/operation.ts';
import { PreviewedChange } from '#ui/serials/previewed-change.tsx';
import { notify } from '#ui/toast.ts';
import { useUndoChange } from './use-undo-change.ts';

type RedeemedQuery = InputOf<'changeRedeemedSerials'>['body']['filter'];
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
  const told = useUndoChange();
  const body = (action: Action, dry_run: boolean) => ({ action, filter, dry_run });
  const preview = useQuery({
    ...q('changeRedeemedSerials', { body: body(asked as Action, true) }),
    enabled: asked !== null,
    staleTime: 0,
    gcTime: 0,
  });
  const change = useMutation({
    mutationFn: (action: Action) => api.changeRedeemedSerials({ body: body(action, false) }),
    onSuccess: (done, action) => {
      onClose();
      onDone();
      const price = done.cost > 0 ? ` This cost ${formatMoney(done.cost)}.` : '';
      if (done.cost > 0) refreshAfter(queryClient, 'refreshCharged');
      return told((count) => `${words[action].done} ${plural(count, 'serial')}.${price}`, [done]);
    },
    onError: (error) => notify.error('Nothing was changed.', error),
  });
  const { act, explain } = words[asked ?? 'revoke'];
  return (
    <PreviewedChange
      act={act}
      explain={explain}
      unknown="everything that matches"
      preview={preview}
      open={asked !== null}
      plain={asked === 'reassign'}
      busy={change.isPending}
      onClose={onClose}
      onConfirm={() => asked && change.mutate(asked)}
    />
  );
}
