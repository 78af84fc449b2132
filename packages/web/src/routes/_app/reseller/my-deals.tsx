import { createFileRoute } from '@tanstack/react-router';
import { catalogSearch } from '#features/catalog/catalog-search.ts';
import { MyDealsPage } from '#features/catalog/my-deals-page.tsx';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/my-deals')({
  ...searchSchema(catalogSearch),
  beforeLoad: requireReseller,
  component: Screen,
});

function Screen() {
  const [filter, change] = useSearchState(Route);
  return <MyDealsPage filter={filter} onFilter={change} />;
}
