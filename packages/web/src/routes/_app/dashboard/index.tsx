import { createFileRoute, redirect } from '@tanstack/react-router';
import { knownAccount, restoredPlace } from '#lib/navigation/hub-tab.ts';

export const Route = createFileRoute('/_app/dashboard/')({
  beforeLoad: async ({ context }) => {
    throw redirect({ href: restoredPlace(await knownAccount(context.queryClient)), replace: true });
  },
});
