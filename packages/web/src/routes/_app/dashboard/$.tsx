import { createFileRoute, redirect } from '@tanstack/react-router';
import { knownUser, tabAddress } from '../../../lib/hub-tab.ts';

export const Route = createFileRoute('/_app/dashboard/$')({
  beforeLoad: async ({ context, params }) => {
    const user = await knownUser(context.queryClient);
    throw redirect({ href: tabAddress(params._splat ?? '', user), replace: true });
  },
});
