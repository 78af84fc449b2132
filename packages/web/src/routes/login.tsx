import { createFileRoute } from '@tanstack/react-router';
import { Login } from '#features/auth/login.tsx';
import { oneOf, searchSchema } from '#lib/navigation/search-params.ts';
import { invitedSearch, requireSignedOut } from '#lib/session/guards.ts';

export const Route = createFileRoute('/login')({
  ...searchSchema({ reason: oneOf(['expired', 'password']), ...invitedSearch }),
  beforeLoad: requireSignedOut,
  component: () => <Login {...Route.useSearch()} />,
});
