import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshAfter } from '../../lib/queries/refresh.ts';
import { noteChange } from '../../lib/queries/serial-cache.ts';
import type { SerialDetail } from '../../lib/types.ts';
import { notify } from '../../ui/toast.ts';
import { useRevoke } from './use-revoke.ts';

export interface RefundStep {
  run: () => Promise<unknown>;
  /** The toast afterwards. */
  done: string;
  /** Whether the serial is revoked now, where no money moved: a click takes that back. Money needs an entry with a reason. */
  revoked?: boolean;
}

/** Refunds, revokes or takes either back, and refreshes what shows it. Errors stay in the dialog. */
export function useRefund(serial: Pick<SerialDetail, 'id' | 'code'>, onOpenChange: (open: boolean) => void) {
  const queryClient = useQueryClient();
  const toggle = useRevoke(serial);
  return useMutation({
    mutationFn: ({ run }: RefundStep) => run(),
    onSuccess: (_, { done, revoked }) => {
      onOpenChange(false);
      notify.success(done, revoked === undefined ? undefined : { undo: () => toggle.mutate(!revoked) });
      return Promise.all([noteChange(queryClient, serial.id), refreshAfter(queryClient, 'serialRefunded')]);
    },
  });
}
