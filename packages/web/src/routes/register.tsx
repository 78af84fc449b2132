import { createFileRoute } from '@tanstack/react-router';
import { RegisterDeveloper } from '#features/auth/registration/register-developer.tsx';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { invitedSearch, requireSignedOut } from '#lib/session/guards.ts';

export const Route = createFileRoute('/register')({
  ...searchSchema(invitedSearch),
  beforeLoad: requireSignedOut,
  component: () => <RegisterDeveloper {...Route.useSearch()} />,
});
