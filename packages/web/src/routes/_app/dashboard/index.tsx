import { createFileRoute, redirect } from '@tanstack/react-router';
import { getUser } from '../../../lib/session.ts';

export const Route = createFileRoute('/_app/dashboard/')({
  beforeLoad: () => {
    throw redirect({ to: getUser()?.is_reseller ? '/reseller/dashboard' : '/dashboard/serials' });
  },
});
