import { LinkButton } from '#ui/button.tsx';
import { Notice } from '#ui/states.tsx';
import { AuthLayout } from '../auth-layout.tsx';

export function CheckMailbox({ email }: { email: string }) {
  return (
    <AuthLayout title="Check your email" lead={`We sent an email to ${email}.`}>
      <div className="flex flex-col gap-5">
        <Notice tone="plain">
          Follow the steps in it to continue. If you already have an account with this address, sign in with your
          existing password.
        </Notice>
        <LinkButton to="/login" variant="primary">
          Go to sign-in
        </LinkButton>
      </div>
    </AuthLayout>
  );
}
