import { createFileRoute, Outlet, redirect, useSearch } from '@tanstack/react-router';
import { AvailableFiles } from '#features/serials/available/available-files.tsx';
import { RedeemedFiles } from '#features/serials/redeemed/redeemed-files.tsx';
import { SerialsHub } from '#features/serials/serials-hub.tsx';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/serials/_hub')({
  async beforeLoad({ location: { searchStr } }) {
    requireDeveloper();
    if (!/[?&](tab|in)=/.test(searchStr)) return;
    const { formerAddress } = await import('#lib/navigation/former-address.ts');
    throw redirect({ href: formerAddress(searchStr), replace: true });
  },
  component: HubScreen,
});

function HubScreen() {
  const redeemed = useSearch({ from: '/_app/dashboard/serials/_hub/', shouldThrow: false });
  const available = useSearch({ from: '/_app/dashboard/serials/_hub/available', shouldThrow: false });
  return (
    <SerialsHub
      files={redeemed ? <RedeemedFiles search={redeemed} /> : available ? <AvailableFiles search={available} /> : null}
    >
      <Outlet />
    </SerialsHub>
  );
}
