import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { noteChange } from '#lib/queries/freshness/serial-cache.ts';
import type { SerialDetail } from '#lib/types.ts';
import { notify } from '#ui/toast.ts';

export interface RefundStep {
  run: () => Promise<unknown>;
  /** The toast afterwards. */
  done: string;
  /** The step that takes it back, if one click can. */
  back?: RefundStep | undefined;
}

/** Refunds, revokes or takes either back, and refreshes what shows it. Errors stay in the dialog. */
export function useRefund(serial: Pick<SerialDetail, 'id' | 'code'>) {
  const queryClient = useQueryClient();
  const take = async ({ run, done, back }: RefundStep) => {
    await run();
    notify.success(done, back && { undo: () => undo.mutate(back) });
    noteChange(queryClient, serial.id);
    refreshAfter(queryClient, 'serialRefunded');
  };
  const undo = useMutation({
    mutationFn: take,
    onError: (error) => notify.error(`${serial.code} couldn't be changed back.`, error),
  });
  return take;
}
