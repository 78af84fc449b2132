import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { SerialDetail } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { notify } from '#ui/toast.ts';

/** Sends the customer the email with the serial and the downloads again. */
export function ResendEmail({ serial }: { serial: SerialDetail }) {
  const queryClient = useQueryClient();
  const resend = useMutation({
    mutationFn: () => api.resendSerialEmail({ path: { id: serial.id } }),
    onSuccess: ({ email }) => {
      notify.success(`Sent to ${email}`);
      return refreshAfter(queryClient, 'serialEmailed');
    },
    onError: (error) => notify.error("The email couldn't be sent.", error),
  });
  // an erased customer has no address
  if (!serial.customer?.email) return null;
  return (
    <Button busy={resend.isPending} onClick={() => resend.mutate()}>
      Resend email
    </Button>
  );
}
