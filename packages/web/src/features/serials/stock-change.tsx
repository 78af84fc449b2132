import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { plural } from '../../lib/format.ts';
import { keys } from '../../lib/queries/keys.ts';
import { refreshAfter } from '../../lib/queries/refresh.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { FormError } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';

export type StockAction = 'revoke' | 'reassign' | 'delete';

const words: Record<StockAction, { act: string; done: string; explain: string }> = {
  revoke: {
    act: 'Revoke',
    done: 'Revoked',
    explain: 'They can no longer be redeemed or used. You can reassign them later.',
  },
  reassign: { act: 'Reassign', done: 'Reassigned', explain: 'They work again at once.' },
  delete: {
    act: 'Delete',
    done: 'Deleted',
    explain: 'They are gone for good. Those that customers have redeemed or resellers handed out stay.',
  },
};

interface StockChangeProps {
  asked: StockAction | null;
  /** What it is about, to keep one preview apart from another. */
  about: unknown;
  /** By a filter, which may fit others after the change. */
  wide?: boolean;
  run: (action: StockAction, dryRun: boolean) => Promise<{ count: number; skipped: number }>;
  onClose: () => void;
  onDone: () => void;
}

/** Changes serials on the server, after showing how many would change. */
export function StockChange({ asked, about, wide = false, run, onClose, onDone }: StockChangeProps) {
  const queryClient = useQueryClient();
  const preview = useQuery({
    queryKey: keys.serials.changePreview(asked, about),
    queryFn: () => run(asked as StockAction, true),
    enabled: asked !== null,
    staleTime: 0,
    gcTime: 0,
  });
  const change = useMutation({
    // Undo is about the same serials, whatever is selected by then
    mutationFn: ({ action, by }: { action: StockAction; by: typeof run }) => by(action, false),
    onSuccess: ({ count, skipped }, { action, by }) => {
      onClose();
      onDone();
      const back = ({ revoke: 'reassign', reassign: 'revoke', delete: null } as const)[action];
      // back is what changed: where some had been so before, it is not known which
      const undo = back && skipped === 0 && !wide ? { undo: () => change.mutate({ action: back, by }) } : undefined;
      notify.success(`${words[action].done} ${plural(count, 'serial')}.`, undo);
      return refreshAfter(queryClient, 'batchRevoked');
    },
    onError: (error) => {
      // many are changed in several calls, and the earlier ones stand
      notify.error('Not all were changed. The list shows what was.', error);
      return refreshAfter(queryClient, 'batchRevoked');
    },
  });
  const { act, explain } = words[asked ?? 'revoke'];
  const found = preview.data;
  return (
    <Confirm
      open={asked !== null}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={found ? `${act} ${plural(found.count, 'serial')}?` : `${act} what is selected?`}
      action={found ? `${act} ${plural(found.count, 'serial')}` : act}
      plain={asked === 'reassign'}
      blocked={!found || found.count === 0}
      busy={change.isPending}
      onConfirm={() => asked && change.mutate({ action: asked, by: run })}
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
          <p>{plural(found.skipped, 'serial')} would stay as they are.</p>
        ) : null
      ) : (
        <span className="skeleton block h-4 w-56" />
      )}
    </Confirm>
  );
}
