import { createFileRoute } from '@tanstack/react-router';
import { DomainsPage } from '#features/branding/domains-page.tsx';
import { previewSearch } from '#features/branding/preview/preview-search.ts';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/developer/tools/branding')({
  ...searchSchema(previewSearch),
  beforeLoad: requireDeveloper,
  component: () => <DomainsPage {...Route.useSearch()} />,
});
