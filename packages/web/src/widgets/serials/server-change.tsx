import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { formatMoney, plural } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { ownKeys } from '#lib/queries/own-keys.ts';
import { PreviewedChange } from '#ui/serials/previewed-change.tsx';
import { notify } from '#ui/toast.ts';
import { type Changed, useUndoChange } from './use-undo-change.ts';

export interface ServerChangeProps<Action extends string> {
  /** Null while nothing is to be changed. */
  action: Action | null;
  words: Record<Action | 'revoke', { act: string; done: string; explain: string }>;
  /** Names what it changes, until that is counted. */
  unknown: string;
  operation: Parameters<typeof ownKeys.changePreview>[0];
  /** Identifies the serials to be changed, to keep one preview apart from another. */
  about: unknown;
  /** Changes them, in several calls where they are many. */
  run: (action: Action, dryRun: boolean) => Promise<Outcome[]>;
  failed: string;
  onClose: () => void;
  onDone: () => void;
}

type Outcome = Changed & { skipped: number; cost?: number };
const sumOf = (parts: Outcome[], field: 'count' | 'skipped' | 'cost') =>
  parts.reduce((sum, part) => sum + (part[field] ?? 0), 0);

/** Changes serials on the server, after showing how many would change and what it costs. */
export function ServerChange<Action extends string>(props: ServerChangeProps<Action>) {
  const { action, words, unknown, operation, about, run, failed, onClose, onDone } = props;
  const queryClient = useQueryClient();
  const offerUndo = useUndoChange();
  const preview = useQuery({
    queryKey: ownKeys.changePreview(operation, { action, about }),
    queryFn: async () => {
      const parts = await run(action as Action, true);
      return { count: sumOf(parts, 'count'), skipped: sumOf(parts, 'skipped'), cost: sumOf(parts, 'cost') };
    },
    enabled: action !== null,
    staleTime: 0,
    gcTime: 0,
  });
  const change = useMutation({
    mutationFn: (chosen: Action) => run(chosen, false),
    onSuccess: (parts, chosen) => {
      onClose();
      onDone();
      const cost = sumOf(parts, 'cost');
      const price = cost > 0 ? ` This cost ${formatMoney(cost)}.` : '';
      if (cost > 0) refreshAfter(queryClient, 'refreshCharged');
      return offerUndo((count) => `${words[chosen].done} ${plural(count, 'serial')}.${price}`, parts);
    },
    onError: (error) => {
      notify.error(failed, error);
      // many take several calls, and the earlier changes are kept
      return refreshAfter(queryClient, 'batchRevoked');
    },
  });
  const { act, explain } = words[action ?? 'revoke'];
  return (
    <PreviewedChange
      act={act}
      explain={explain}
      unknown={unknown}
      preview={preview}
      open={action !== null}
      plain={action === 'reassign'}
      busy={change.isPending}
      onClose={onClose}
      onConfirm={() => action && change.mutate(action)}
    />
  );
}
