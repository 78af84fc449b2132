import { createFileRoute } from '@tanstack/react-router';
import { ResellersPage } from '#features/resellers/resellers-page.tsx';
import { textParam } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/resellers/')({
  validateSearch: ({ past, search }: Record<string, unknown>): { past?: true; search?: string | undefined } => ({
    ...(past === true ? { past } : {}),
    search: textParam(search),
  }),
  beforeLoad: requireDeveloper,
  component: ResellersScreen,
});

function ResellersScreen() {
  const { past = false, search = '' } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ResellersPage
      past={past}
      search={search}
      onSearch={(next) => navigate({ search: (before) => ({ ...before, search: next || undefined }) })}
    />
  );
}
