import { createFileRoute } from '@tanstack/react-router';
import { CardScreen } from '#features/settings/card/card-screen.tsx';
import { ownDocument } from '#lib/navigation/document-policy.ts';
import { id, searchSchema } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/settings/card')({
  // the invoice whose payment is to be confirmed
  ...searchSchema({ invoice: id }),
  beforeLoad: ({ location, preload }) => {
    requireDeveloper();
    return preload ? undefined : ownDocument(location.pathname, location.href);
  },
  component: () => <CardScreen {...Route.useSearch()} />,
});
