import { useTitle } from '../../lib/hooks.ts';
import { useUser } from '../../lib/session.ts';
import { LinkButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { PageHeader, Panel } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';

export function ResellerStart() {
  useTitle('Dashboard');
  const user = useUser();
  return (
    <>
      <PageHeader title={user ? `Welcome, ${user.first_name}` : 'Welcome'}>Your account is ready.</PageHeader>
      <Panel>
        <Empty
          title="Work with developers"
          action={
            <>
              <LinkButton to="/reseller/partners" variant="primary">
                Invite Developer
              </LinkButton>
              {user ? <CopyButton text={user.email} label="Copy my email" /> : null}
            </>
          }
        >
          Invitations arrive under the bell. Developers invite you with the email address of this account, or you ask
          them. Their products and your commission will appear here.
        </Empty>
      </Panel>
    </>
  );
}
