import { useMutation } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { useAccount } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { notify } from '#ui/toast.ts';

/** Shows whether email arrives at all, and what it looks like. */
export function TestEmail() {
  const account = useAccount();
  const send = useMutation({
    mutationFn: () => api.sendTestEmail(),
    onSuccess: ({ message }) => notify.success(message),
    onError: (error) => notify.error('The test email was not sent.', error),
  });
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-5">
      <p className="min-w-0 text-sm text-muted">
        Do our emails reach you? We send a test email to{' '}
        <span className="wrap-anywhere text-text">{account?.email}</span>.
      </p>
      <Button size="sm" busy={send.isPending} onClick={() => send.mutate()}>
        Send a test email
      </Button>
    </div>
  );
}
