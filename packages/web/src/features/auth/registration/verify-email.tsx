import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { useTitle } from '#lib/hooks.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { homeOf, useAccount } from '#lib/session/session.ts';
import { Button, LinkButton, TextLink } from '#ui/button.tsx';
import { FormError, Notice } from '#ui/states.tsx';
import { AuthLayout } from '../auth-layout.tsx';
import { ResendVerification } from './resend-verification.tsx';

const TITLE = 'Verify your email address';

/** The page that the link in the email opens. */
export function VerifyEmail({ token }: { token: string | undefined }) {
  useTitle(TITLE);
  const account = useAccount();
  const queryClient = useQueryClient();
  const verify = useMutation({
    mutationFn: (secret: string) => api.verifyEmail({ body: { token: secret } }),
    onSuccess: () => refreshAfter(queryClient, 'emailVerified'),
  });

  if (verify.isSuccess) {
    return (
      <AuthLayout title="Your email address is verified">
        <div className="flex flex-col gap-5">
          <Notice tone="good">You now have access to everything in your account.</Notice>
          <LinkButton to={account ? homeOf(account) : '/login'} variant="primary">
            {account ? 'Go to the dashboard' : 'Sign in'}
          </LinkButton>
        </div>
      </AuthLayout>
    );
  }
  if (!token || verify.isError) {
    return (
      <AuthLayout title={TITLE}>
        <div className="flex flex-col gap-5">
          {verify.isError ? (
            <FormError error={verify.error} />
          ) : (
            <Notice>This link is incomplete. Open it again from the email, or request a new one.</Notice>
          )}
          <ResendVerification email={account?.email ?? ''} />
        </div>
      </AuthLayout>
    );
  }
  // a click, not the visit: email scanners open links, and must not verify an account that a stranger made
  return (
    <AuthLayout title={TITLE} lead="Confirm that you created the account, and that this address is yours.">
      <Button variant="primary" className="h-10 w-full" busy={verify.isPending} onClick={() => verify.mutate(token)}>
        Verify email address
      </Button>
      <p className="mt-6 text-sm text-muted">
        Didn't create an account? Somebody else may have entered your address.{' '}
        <TextLink to="/forgot-password">Choose a new password</TextLink> instead, and the account is yours alone.
      </p>
    </AuthLayout>
  );
}
