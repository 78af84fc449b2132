import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import type { RedeemedPage, RedeemedSerial } from '../../lib/types.ts';
import { Button } from '../../ui/button.tsx';
import { notify } from '../../ui/toast.ts';

/** Revoke and reassign undo each other, so neither asks first. */
export function RevokeToggle({ serial, compact = false }: { serial: RedeemedSerial; compact?: boolean }) {
  const queryClient = useQueryClient();
  const toggle = useMutation({
    mutationFn: (revoke: boolean) => {
      const request = { path: { id: serial.id } };
      return revoke ? api.revokeSerial(request) : api.reassignSerial(request);
    },
    onSuccess: (answer, revoke) => {
      queryClient.setQueriesData<RedeemedPage>(
        { queryKey: ['serials', 'redeemed'] },
        (page) =>
          page && {
            ...page,
            rows: page.rows.map((row) =>
              row.id === serial.id ? { ...row, revoked: answer.revoked, status: answer.status } : row,
            ),
          },
      );
      queryClient.invalidateQueries({ queryKey: ['products'] });
      notify.success(`${revoke ? 'Revoked' : 'Reassigned'} ${serial.code}`, { undo: () => toggle.mutate(!revoke) });
    },
    onError: (error) => notify.error(`Error trying to revoke or reassign ${serial.code}.`, error),
  });
  return (
    <Button
      size="sm"
      variant={compact ? 'ghost' : 'secondary'}
      busy={toggle.isPending}
      onClick={() => toggle.mutate(!serial.revoked)}
      className={compact ? 'h-6 px-2' : 'min-w-[84px]'}
    >
      {serial.revoked ? 'Reassign' : 'Revoke'}
      <span className="sr-only"> {serial.code}</span>
    </Button>
  );
}
