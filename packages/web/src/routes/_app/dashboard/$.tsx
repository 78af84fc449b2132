import { createFileRoute, redirect } from '@tanstack/react-router';
import { NotFound } from '#features/public/not-found.tsx';
import { knownUser, tabAddress } from '#lib/navigation/hub-tab.ts';

export const Route = createFileRoute('/_app/dashboard/$')({
  beforeLoad: async ({ context, params }) => {
    const user = await knownUser(context.queryClient);
    const href = tabAddress(params._splat ?? '', user);
    if (href) throw redirect({ href, replace: true });
  },
  component: NotFound,
});
