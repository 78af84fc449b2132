import { createFileRoute, redirect } from '@tanstack/react-router';
import { Soon } from '../../../features/later/soon.tsx';
import { freshUser } from '../../../lib/hub-tab.ts';

export const Route = createFileRoute('/_app/admin/billing')({
  beforeLoad: async ({ context }) => {
    if (!(await freshUser(context.queryClient)).is_admin) throw redirect({ to: '/not-authorized' });
  },
  component: () => <Soon page="logs" />,
});
