import { createFileRoute } from '@tanstack/react-router';
import { RegisterDeveloper } from '#features/auth/register-developer.tsx';
import { type InvitedSearch, invitedSearch, requireSignedOut } from '#lib/session/guards.ts';

export const Route = createFileRoute('/register')({
  validateSearch: (search: Record<string, unknown>): InvitedSearch => invitedSearch(search),
  beforeLoad: requireSignedOut,
  component: () => <RegisterDeveloper {...Route.useSearch()} />,
});
