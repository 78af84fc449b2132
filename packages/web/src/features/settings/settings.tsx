import { useTitle } from '../../lib/hooks.ts';
import { useUser } from '../../lib/session.ts';
import { PageHeader, Section } from '../../ui/page.tsx';
import { AccessTokens } from './access-tokens.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { LogoutButton } from './logout-button.tsx';
import { PasswordForm } from './password-form.tsx';
import { Sessions } from './sessions.tsx';

export function Settings() {
  useTitle('Settings');
  const user = useUser();
  return (
    <>
      <PageHeader title="Settings">{user?.email}</PageHeader>
      <Section title="Account & Security" hint="Changing the password logs you out everywhere else.">
        <PasswordForm reseller={user?.is_reseller ?? false} />
      </Section>
      <Section title="Session History" hint="Where your account is logged in.">
        <Sessions />
      </Section>
      <Section title="Access tokens" hint="For the command line, scripts and CI. Each can do only what its scopes say.">
        <AccessTokens />
      </Section>
      <Section title="Leave" hint="Log out of this browser, or end the account.">
        <div className="flex flex-wrap gap-2">
          <LogoutButton />
          <DeleteAccount />
        </div>
      </Section>
    </>
  );
}
