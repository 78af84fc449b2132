import { createFileRoute } from '@tanstack/react-router';
import { InvitePage } from '#features/auth/invite/invite.tsx';
import { searchSchema, text } from '#lib/navigation/search-params.ts';

export const Route = createFileRoute('/invite')({
  ...searchSchema({ token: text }),
  component: () => <InvitePage {...Route.useSearch()} />,
});
