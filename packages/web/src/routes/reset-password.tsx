import { createFileRoute } from '@tanstack/react-router';
import { ResetPassword } from '#features/auth/reset-password.tsx';
import { textParam } from '#lib/navigation/search-params.ts';

export const Route = createFileRoute('/reset-password')({
  validateSearch: (search: Record<string, unknown>): { token?: string | undefined } => ({
    token: textParam(search.token),
  }),
  component: ResetScreen,
});

function ResetScreen() {
  return <ResetPassword token={Route.useSearch().token} />;
}
