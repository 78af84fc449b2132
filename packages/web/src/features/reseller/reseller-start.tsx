import { useTitle } from '../../lib/hooks.ts';
import { useUser } from '../../lib/session.ts';
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
          title="No developer partners found yet"
          action={user ? <CopyButton text={user.email} label="Copy my email" /> : null}
        >
          Linking with developers is not open yet. When it is, the developers you work with need the email address of
          this account, and their products and your commission appear here.
        </Empty>
      </Panel>
    </>
  );
}
