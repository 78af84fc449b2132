import { createFileRoute, redirect, useLocation } from '@tanstack/react-router';
import { Hub } from '../../../features/shell/hub.tsx';
import { hubPath, knownUser } from '../../../lib/hub-tab.ts';

/** `/dashboard/tools` and the other tabs lead to their screens; anything else gets the tabs to choose from. */
export const Route = createFileRoute('/_app/dashboard/$')({
  beforeLoad: async ({ context, params }) => {
    const path = hubPath(params._splat ?? '', await knownUser(context.queryClient));
    if (path) throw redirect({ href: path, replace: true });
  },
  component: HubScreen,
});

function HubScreen() {
  return <Hub path={useLocation().pathname} />;
}
