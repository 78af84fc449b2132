import { LinkButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/states.tsx';
import { AuthLayout } from './auth-layout.tsx';

export function CheckMailbox({ email }: { email: string }) {
  return (
    <AuthLayout title="Check your mailbox" lead={`We sent a message to ${email}.`}>
      <div className="flex flex-col gap-5">
        <Notice tone="plain">
          It says how to go on. If you already have an account with this address, log in with the password you chose
          then.
        </Notice>
        <LinkButton to="/login" variant="primary">
          Go to login
        </LinkButton>
      </div>
    </AuthLayout>
  );
}
