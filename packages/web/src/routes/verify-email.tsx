import { createFileRoute } from '@tanstack/react-router';
import { VerifyEmail } from '#features/auth/registration/verify-email.tsx';
import { searchSchema, text } from '#lib/navigation/search-params.ts';

export const Route = createFileRoute('/verify-email')({
  ...searchSchema({ token: text }),
  component: () => <VerifyEmail {...Route.useSearch()} />,
});
