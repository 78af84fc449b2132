import { createFileRoute } from '@tanstack/react-router';
import { RegisterReseller } from '#features/auth/register-reseller.tsx';
import { type InvitedSearch, invitedSearch, requireSignedOut } from '#lib/session/guards.ts';

export const Route = createFileRoute('/reseller/register')({
  validateSearch: (search: Record<string, unknown>): InvitedSearch => invitedSearch(search),
  beforeLoad: requireSignedOut,
  component: () => <RegisterReseller {...Route.useSearch()} />,
});
