import { createFileRoute } from '@tanstack/react-router';
import { VerifyEmail } from '#features/auth/verify-email.tsx';
import { textParam } from '#lib/navigation/search-params.ts';

export const Route = createFileRoute('/verify-email')({
  validateSearch: (search: Record<string, unknown>): { token?: string | undefined } => ({
    token: textParam(search.token),
  }),
  component: VerifyScreen,
});

function VerifyScreen() {
  return <VerifyEmail token={Route.useSearch().token} />;
}
