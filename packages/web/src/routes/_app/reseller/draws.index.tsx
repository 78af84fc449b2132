import { createFileRoute } from '@tanstack/react-router';
import { DrawsPage } from '#features/draws/draws-page.tsx';
import { choiceParam, textParam } from '#lib/navigation/search-params.ts';
import { requireReseller } from '#lib/session/guards.ts';

const states = ['handed_out', 'redeemed', 'revoked', 'returned'] as const;

interface DrawsSearch {
  tab?: 'files' | undefined;
  search?: string | undefined;
  state?: (typeof states)[number] | undefined;
}

export const Route = createFileRoute('/_app/reseller/draws/')({
  validateSearch: (search: Record<string, unknown>): DrawsSearch => ({
    tab: choiceParam(search.tab, ['files']),
    search: textParam(search.search),
    state: choiceParam(search.state, states),
  }),
  beforeLoad: requireReseller,
  component: Screen,
});

function Screen() {
  const { tab = 'draws', search = '', state } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <DrawsPage
      tab={tab}
      filter={{ search, state }}
      onFilter={(next) => navigate({ search: { search: next.search || undefined, state: next.state } })}
    />
  );
}
