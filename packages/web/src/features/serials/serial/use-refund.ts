import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshAfter } from '../../../lib/queries/refresh.ts';
import type { SerialDetail } from '../../../lib/types.ts';
import { notify } from '../../../ui/toast.ts';
import { noteChange } from '../serial-cache.ts';

interface Step {
  run: () => Promise<unknown>;
  /** What the toast says afterwards. */
  done: string;
}

/** Refunds, revokes or takes either back, and refreshes what shows it. Errors stay in the dialog. */
export function useRefund(serial: Pick<SerialDetail, 'id'>, onOpenChange: (open: boolean) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ run }: Step) => run(),
    onSuccess: (_, { done }) => {
      onOpenChange(false);
      notify.success(done);
      noteChange(queryClient, [serial.id], {});
      return refreshAfter(queryClient, 'serialRefunded');
    },
  });
}
