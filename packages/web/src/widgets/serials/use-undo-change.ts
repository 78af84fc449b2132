import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { plural } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { notify } from '#ui/toast.ts';

/** The answer to a change of many serials. */
export interface Changed {
  count: number;
  changed_at?: string | undefined;
}

/** Shows what was done with many serials. Undo reverts exactly those that changed, whatever is selected by then. */
export function useUndoChange() {
  const queryClient = useQueryClient();
  const undo = useMutation({
    mutationFn: async (moments: string[]) => {
      const done: Changed[] = [];
      for (const changed_at of moments) done.push(await api.undoSerialChange({ body: { changed_at } }));
      return done;
    },
    onSuccess: (done) => offerUndo((count) => `Changed ${plural(count, 'serial')} back.`, done),
    onError: (error) => {
      notify.error('Not all were changed back. The list shows which ones were.', error);
      return refreshAfter(queryClient, 'batchRevoked');
    },
  });
  const offerUndo = (words: (count: number) => string, changes: Changed[]) => {
    const moments = changes.flatMap(({ changed_at }) => changed_at ?? []);
    const count = changes.reduce((sum, change) => sum + change.count, 0);
    notify.success(words(count), moments.length > 0 ? { undo: () => undo.mutate(moments) } : undefined);
    return refreshAfter(queryClient, 'batchRevoked');
  };
  return offerUndo;
}
