import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { notify } from '#ui/toast.ts';

/** A step of either side with a statement. */
export function usePayoutChange<Input = void>(
  change: (input: Input) => Promise<unknown>,
  { done, onDone }: { done: string; onDone?: () => void },
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      onDone?.();
      notify.success(done);
      await refreshAfter(queryClient, 'payoutChanged');
    },
  });
}
