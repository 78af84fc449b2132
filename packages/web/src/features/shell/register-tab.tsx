import { useTitle } from '#lib/hooks.ts';
import { useAccount } from '#lib/session/session.ts';
import { useLogout } from '#lib/session/use-logout.ts';
import { Button } from '#ui/button.tsx';
import { PageHeader, Panel } from '#ui/page.tsx';
import { Empty } from '#ui/states.tsx';

/** Explains to people who are signed in that registration is for signed-out ones. */
export function RegisterTab() {
  useTitle('Register');
  const account = useAccount();
  const logout = useLogout();
  return (
    <>
      <PageHeader title="Register" />
      <Panel>
        <Empty title="You already have an account" action={<Button onClick={logout}>Logout</Button>}>
          You are signed in as {account?.email}. To register another developer or reseller, sign out first: the sign-in
          screen leads to both forms.
        </Empty>
      </Panel>
    </>
  );
}
