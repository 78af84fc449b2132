import { createFileRoute } from '@tanstack/react-router';
import { DomainsPage } from '#features/branding/domains-page.tsx';
import type { PreviewView } from '#features/branding/preview.tsx';
import { choiceParam } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

interface DomainsSearch {
  view?: PreviewView | undefined;
}

export const Route = createFileRoute('/_app/developer/tools/branding')({
  validateSearch: (search: Record<string, unknown>): DomainsSearch => ({
    view: choiceParam(search.view, ['download', 'email']),
  }),
  beforeLoad: requireDeveloper,
  component: DomainsScreen,
});

function DomainsScreen() {
  const { view = 'initial' } = Route.useSearch();
  return <DomainsPage view={view} />;
}
