import { createFileRoute } from '@tanstack/react-router';
import { Login } from '#features/auth/login.tsx';
import { choiceParam } from '#lib/navigation/search-params.ts';
import { invitedSearch, requireSignedOut } from '#lib/session/guards.ts';

interface LoginSearch {
  reason?: 'expired' | 'password' | undefined;
  redirect?: string | undefined;
  email?: string | undefined;
}

export const Route = createFileRoute('/login')({
  validateSearch: (search: Record<string, unknown>): LoginSearch => ({
    reason: choiceParam(search.reason, ['expired', 'password']),
    ...invitedSearch(search),
  }),
  beforeLoad: requireSignedOut,
  component: LoginScreen,
});

function LoginScreen() {
  const search = Route.useSearch();
  return <Login reason={search.reason} redirect={search.redirect} email={search.email} />;
}
