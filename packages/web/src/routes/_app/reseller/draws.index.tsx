import { createFileRoute } from '@tanstack/react-router';
import { listDrawsState } from '@tonerow/sdk/values';
import { DrawsPage } from '#features/draws/draws-page.tsx';
import { oneOf, or, searched, searchSchema } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/draws/')({
  ...searchSchema({
    tab: or(oneOf(['files']), 'draws'),
    search: searched,
    state: oneOf(listDrawsState),
  }),
  beforeLoad: requireReseller,
  component: Screen,
});

function Screen() {
  const [{ tab, ...filter }, change] = useSearchState(Route);
  return <DrawsPage tab={tab} filter={filter} onFilter={change} />;
}
