import { createFileRoute } from '@tanstack/react-router';
import { ResetPassword } from '#features/auth/reset-password.tsx';
import { searchSchema, text } from '#lib/navigation/search-params.ts';

export const Route = createFileRoute('/reset-password')({
  ...searchSchema({ token: text }),
  component: () => <ResetPassword {...Route.useSearch()} />,
});
