import { createFileRoute } from '@tanstack/react-router';
import { CardScreen } from '#features/settings/card/card-screen.tsx';
import { ownDocument } from '#lib/navigation/document-policy.ts';
import { idParam } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

interface CardSearch {
  /** The invoice whose payment is to be confirmed. */
  invoice?: string | undefined;
}

export const Route = createFileRoute('/_app/dashboard/settings/card')({
  validateSearch: (search: Record<string, unknown>): CardSearch => ({ invoice: idParam(search.invoice) }),
  beforeLoad: ({ location, preload }) => {
    requireDeveloper();
    return preload ? undefined : ownDocument(location.pathname, location.href);
  },
  component: CardRoute,
});

function CardRoute() {
  return <CardScreen invoice={Route.useSearch().invoice} />;
}
