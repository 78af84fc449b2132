import { createFileRoute, redirect } from '@tanstack/react-router';
import { defaultTab, hubPath, isHub, knownUser } from '../../../lib/hub-tab.ts';

/** `/dashboard/tools` and the other tabs lead to their screens, of one's own role only; anything else to its default tab. */
export const Route = createFileRoute('/_app/dashboard/$')({
  beforeLoad: async ({ context, params }) => {
    const name = params._splat ?? '';
    const user = await knownUser(context.queryClient);
    const path = hubPath(name, user);
    if (!path && isHub(name)) throw redirect({ to: '/not-authorized', replace: true });
    throw redirect({ href: path ?? defaultTab(user), replace: true });
  },
});
