import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { plural } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { ownKeys } from '#lib/queries/own-keys.ts';
import { PreviewedChange } from '#ui/serials/previewed-change.tsx';
import { notify } from '#ui/toast.ts';
import { type Changed, useUndoChange } from '#widgets/serials/use-undo-change.ts';

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
    explain: 'They are permanently deleted. Serials that customers redeemed or resellers handed out are kept.',
  },
};

type Outcome = Changed & { skipped: number };

interface StockChangeProps {
  asked: StockAction | null;
  /** Identifies the serials to be changed, to keep one preview apart from another. */
  about: unknown;
  /** Changes them, in several calls where they are many. */
  run: (action: StockAction, dryRun: boolean) => Promise<Outcome[]>;
  onClose: () => void;
  onDone: () => void;
}

/** Changes serials on the server, after showing how many would change. */
export function StockChange({ asked, about, run, onClose, onDone }: StockChangeProps) {
  const queryClient = useQueryClient();
  const told = useUndoChange();
  const preview = useQuery({
    queryKey: ownKeys.changePreview({ asked, about }),
    queryFn: async () => {
      const parts = await run(asked as StockAction, true);
      return {
        count: parts.reduce((sum, { count }) => sum + count, 0),
        skipped: parts.reduce((sum, { skipped }) => sum + skipped, 0),
      };
    },
    enabled: asked !== null,
    staleTime: 0,
    gcTime: 0,
  });
  const change = useMutation({
    mutationFn: (action: StockAction) => run(action, false),
    onSuccess: (parts, action) => {
      onClose();
      onDone();
      return told((count) => `${words[action].done} ${plural(count, 'serial')}.`, parts);
    },
    onError: (error) => {
      // many take several calls, and the earlier changes are kept
      notify.error('Not all were changed. The list shows which ones were.', error);
      return refreshAfter(queryClient, 'batchRevoked');
    },
  });
  const { act, explain } = words[asked ?? 'revoke'];
  return (
    <PreviewedChange
      act={act}
      explain={explain}
      unknown="what is selected"
      preview={preview}
      open={asked !== null}
      plain={asked === 'reassign'}
      busy={change.isPending}
      onClose={onClose}
      onConfirm={() => asked && change.mutate(asked)}
    />
  );
}
