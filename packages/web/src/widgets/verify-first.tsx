import { useMutation } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { useAccount } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';

/** The address that is not known to be its owner's yet; null once it is. */
export function useUnverified(): string | null {
  const account = useAccount();
  return account?.email_verified === false ? account.email : null;
}

export function useResendVerification() {
  return useMutation({
    mutationFn: (email: string) => api.resendVerification({ body: { email } }),
    onSuccess: () => notify.success('Email sent.'),
    onError: (error) => notify.failed('The email was not sent', error),
  });
}

/** The notice above a form that reaches other people: it asks for a verified address before anything is typed. */
export function VerifyFirst() {
  const email = useUnverified();
  const resend = useResendVerification();
  if (!email) return null;
  return (
    <Notice tone="warn">
      <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <span className="min-w-0 flex-1 basis-56 wrap-anywhere">
          <strong className="font-semibold">Verify your email address first.</strong> Open the link we emailed to{' '}
          {email}.
        </span>
        <Button size="sm" busy={resend.isPending} onClick={() => resend.mutate(email)}>
          Resend email
        </Button>
      </span>
    </Notice>
  );
}
