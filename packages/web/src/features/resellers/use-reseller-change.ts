import { useMutation, useQueryClient } from '@tanstack/react-query';
import { resellerQuery } from '#lib/queries/counterparts.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { ResellerProfile } from '#lib/types.ts';
import { notify } from '#ui/toast.ts';

/** A change of a partnership, which answers the profile as it is then. */
export function useResellerChange<Input = void>(
  change: (input: Input) => Promise<ResellerProfile>,
  { done, undo, onDone }: { done: string; undo?: Input | undefined; onDone?: () => void },
) {
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: change,
    onMutate: () => undo,
    onSuccess: async (profile, _, before) => {
      queryClient.setQueryData(resellerQuery(profile.id).queryKey, profile);
      onDone?.();
      notify.success(done, before === undefined ? undefined : { undo: () => save.mutate(before) });
      await refreshAfter(queryClient, 'resellerChanged');
    },
  });
  return save;
}
