import { createFileRoute } from '@tanstack/react-router';
import { BrandingPage } from '#features/branding/branding-page.tsx';
import { previewSearch } from '#features/branding/preview/preview-search.ts';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/settings/branding')({
  ...searchSchema(previewSearch),
  beforeLoad: requireDeveloper,
  component: () => <BrandingPage {...Route.useSearch()} />,
});
