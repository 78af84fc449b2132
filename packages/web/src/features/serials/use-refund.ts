import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { noteChange } from '#lib/queries/serial-cache.ts';
import type { SerialDetail } from '#lib/types.ts';
import { notify } from '#ui/toast.ts';

export interface RefundStep {
  run: () => Promise<unknown>;
  /** The toast afterwards. */
  done: string;
  /** What takes it back, where one click can. */
  back?: RefundStep | undefined;
}

/** Refunds, revokes or takes either back, and refreshes what shows it. Errors stay in the dialog. */
export function useRefund(serial: Pick<SerialDetail, 'id' | 'code'>, onOpenChange: (open: boolean) => void) {
  const queryClient = useQueryClient();
  const told = ({ done, back }: RefundStep) => {
    notify.success(done, back && { undo: () => undo.mutate(back) });
    return Promise.all([noteChange(queryClient, serial.id), refreshAfter(queryClient, 'serialRefunded')]);
  };
  const undo = useMutation({
    mutationFn: ({ run }: RefundStep) => run(),
    onSuccess: (_, step) => told(step),
    onError: (error) => notify.error(`${serial.code} couldn't be changed back.`, error),
  });
  return useMutation({
    mutationFn: ({ run }: RefundStep) => run(),
    onSuccess: (_, step) => {
      onOpenChange(false);
      return told(step);
    },
  });
}
