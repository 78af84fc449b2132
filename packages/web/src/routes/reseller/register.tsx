import { createFileRoute } from '@tanstack/react-router';
import { RegisterReseller } from '#features/auth/registration/register-reseller.tsx';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { invitedSearch, requireSignedOut } from '#lib/session/guards.ts';

export const Route = createFileRoute('/reseller/register')({
  ...searchSchema(invitedSearch),
  beforeLoad: requireSignedOut,
  component: () => <RegisterReseller {...Route.useSearch()} />,
});
