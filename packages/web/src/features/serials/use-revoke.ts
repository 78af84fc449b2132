import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { noteChange } from '#lib/queries/freshness/serial-cache.ts';
import { notify } from '#ui/toast.ts';

/** Revoke and reassign undo each other, so neither asks first. */
export function useRevoke(serial: { id: string; code: string }) {
  const queryClient = useQueryClient();
  const toggle = useMutation({
    mutationFn: (revoke: boolean) => {
      const request = { path: { id: serial.id } };
      return revoke ? api.revokeSerial(request) : api.reassignSerial(request);
    },
    onSuccess: (answer, revoke) => {
      notify.success(`${revoke ? 'Revoked' : 'Reassigned'} ${serial.code}`, { undo: () => toggle.mutate(!revoke) });
      return noteChange(queryClient, serial.id, { revoked: answer.revoked, status: answer.status });
    },
    onError: (error) => notify.error(`Error trying to revoke or reassign ${serial.code}.`, error),
  });
  return toggle;
}
