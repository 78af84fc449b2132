import { createFileRoute } from '@tanstack/react-router';
import { PartnersPage } from '#features/developers-i-sell/developers-page.tsx';
import { textParam } from '#lib/navigation/search-params.ts';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/partners')({
  validateSearch: ({ past, search }: Record<string, unknown>): { past?: true; search?: string | undefined } => ({
    ...(past === true ? { past } : {}),
    search: textParam(search),
  }),
  beforeLoad: requireReseller,
  component: PartnersScreen,
});

function PartnersScreen() {
  const { past = false, search = '' } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <PartnersPage
      past={past}
      search={search}
      onSearch={(next) => navigate({ search: (before) => ({ ...before, search: next || undefined }) })}
    />
  );
}
