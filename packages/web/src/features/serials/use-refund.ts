import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshAfter } from '../../lib/queries/refresh.ts';
import { noteChange } from '../../lib/queries/serial-cache.ts';
import type { SerialDetail } from '../../lib/types.ts';
import { notify } from '../../ui/toast.ts';

export interface RefundStep {
  run: () => Promise<unknown>;
  /** What the toast says afterwards. */
  done: string;
  /** What takes it back. Money is taken back by an entry with a reason, never by a click. */
  undo?: RefundStep;
}

/** Refunds, revokes or takes either back, and refreshes what shows it. Errors stay in the dialog. */
export function useRefund(serial: Pick<SerialDetail, 'id'>, onOpenChange: (open: boolean) => void) {
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: ({ run }: RefundStep) => run(),
    onSuccess: (_, { done, undo }) => {
      onOpenChange(false);
      notify.success(done, undo && { undo: () => save.mutate(undo) });
      return Promise.all([noteChange(queryClient, serial.id), refreshAfter(queryClient, 'serialRefunded')]);
    },
  });
  return save;
}
