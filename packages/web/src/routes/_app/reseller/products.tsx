import { createFileRoute } from '@tanstack/react-router';
import { CatalogItemScreen } from '#features/catalog/catalog-item-screen.tsx';
import { CatalogPage } from '#features/catalog/catalog-page.tsx';
import { catalogSearch } from '#features/catalog/catalog-search.ts';
import { id, oneOf, or, searchSchema } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/products')({
  ...searchSchema({
    tab: or(oneOf(['deals']), 'products'),
    ...catalogSearch,
    /** The product whose details are shown instead of the list. */
    product: id,
    /** The deal of that product. */
    deal: id,
  }),
  beforeLoad: requireReseller,
  component: Screen,
});

function Screen() {
  const [{ tab, product, deal, ...filter }, change] = useSearchState(Route);
  if (product) return <CatalogItemScreen key={`${product} ${deal}`} id={product} deal={deal} />;
  return <CatalogPage tab={tab} filter={filter} onFilter={change} />;
}
