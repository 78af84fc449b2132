import { createFileRoute, redirect } from '@tanstack/react-router';
import { knownUser, restoredPlace } from '#lib/navigation/hub-tab.ts';

export const Route = createFileRoute('/_app/dashboard/')({
  beforeLoad: async ({ context }) => {
    throw redirect({ href: restoredPlace(await knownUser(context.queryClient)), replace: true });
  },
});
