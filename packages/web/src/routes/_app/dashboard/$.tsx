import { createFileRoute, redirect } from '@tanstack/react-router';
import { NotFound } from '#features/public/not-found.tsx';
import { knownAccount, tabAddress } from '#lib/navigation/hub-tab.ts';

export const Route = createFileRoute('/_app/dashboard/$')({
  beforeLoad: async ({ context, params }) => {
    const account = await knownAccount(context.queryClient);
    const href = tabAddress(params._splat ?? '', account);
    if (href) throw redirect({ href, replace: true });
  },
  component: NotFound,
});
