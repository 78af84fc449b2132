import { createFileRoute } from '@tanstack/react-router';
import { shopSearch } from '#features/shops/searches.ts';
import { ShopPage } from '#features/shops/shop-page.tsx';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/developer/tools/shops/$id')({
  ...searchSchema(shopSearch),
  beforeLoad: requireDeveloper,
  component: ShopScreen,
});

function ShopScreen() {
  const { id } = Route.useParams();
  const [{ unmapped }, change] = useSearchState(Route);
  return <ShopPage key={id} id={id} unmapped={unmapped} onUnmapped={(next) => change({ unmapped: next })} />;
}
