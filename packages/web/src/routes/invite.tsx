import { createFileRoute } from '@tanstack/react-router';
import { InvitePage } from '#features/auth/invite.tsx';
import { textParam } from '#lib/navigation/search-params.ts';

export const Route = createFileRoute('/invite')({
  validateSearch: (search: Record<string, unknown>): { token?: string | undefined } => ({
    token: textParam(search.token),
  }),
  component: InviteScreen,
});

function InviteScreen() {
  return <InvitePage token={Route.useSearch().token} />;
}
