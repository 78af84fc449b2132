import { createFileRoute, redirect } from '@tanstack/react-router';
import { getAccount } from '#lib/session/session.ts';

/** The path in older links and emails: `/app/settings#plan`. */
export const Route = createFileRoute('/app/settings')({
  beforeLoad: ({ location }) => {
    throw redirect({
      to: getAccount()?.is_reseller ? '/reseller/settings' : '/dashboard/settings',
      hash: location.hash,
      replace: true,
    });
  },
});
