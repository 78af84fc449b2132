import { createFileRoute } from '@tanstack/react-router';
import { BrandingPage } from '#features/branding/branding-page.tsx';
import type { PreviewView } from '#features/branding/preview.tsx';
import { choiceParam } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

interface BrandingSearch {
  view?: PreviewView | undefined;
}

export const Route = createFileRoute('/_app/dashboard/settings/branding')({
  validateSearch: (search: Record<string, unknown>): BrandingSearch => ({
    view: choiceParam(search.view, ['download', 'email']),
  }),
  beforeLoad: requireDeveloper,
  component: BrandingScreen,
});

function BrandingScreen() {
  const { view = 'initial' } = Route.useSearch();
  return <BrandingPage view={view} />;
}
