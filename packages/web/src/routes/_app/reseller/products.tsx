import { createFileRoute } from '@tanstack/react-router';
import { CatalogItemScreen } from '#features/catalog/catalog-item-screen.tsx';
import { CatalogPage } from '#features/catalog/catalog-page.tsx';
import { choiceParam, idParam, textParam } from '#lib/navigation/search-params.ts';
import type { CatalogSort } from '#lib/queries/catalog.ts';
import { requireReseller } from '#lib/session/guards.ts';

interface CatalogSearch {
  tab?: 'deals' | undefined;
  search?: string | undefined;
  sort?: Exclude<CatalogSort, 'recent'> | undefined;
  developer?: string | undefined;
  /** The product whose details are shown instead of the list. */
  product?: string | undefined;
  /** The deal of that product. */
  deal?: string | undefined;
}

export const Route = createFileRoute('/_app/reseller/products')({
  validateSearch: (search: Record<string, unknown>): CatalogSearch => ({
    tab: choiceParam(search.tab, ['deals']),
    search: textParam(search.search),
    sort: choiceParam(search.sort, ['alphabetical', 'popular']),
    developer: idParam(search.developer),
    product: idParam(search.product),
    deal: idParam(search.deal),
  }),
  beforeLoad: requireReseller,
  component: Screen,
});

function Screen() {
  const { tab, search = '', sort = 'recent', developer = '', product, deal } = Route.useSearch();
  const navigate = Route.useNavigate();
  if (product) return <CatalogItemScreen key={`${product} ${deal}`} id={product} deal={deal} />;
  return (
    <CatalogPage
      tab={tab ?? 'products'}
      filter={{ search, sort, developer }}
      onFilter={(next) =>
        navigate({
          search: (before) => ({
            ...before,
            search: next.search || undefined,
            sort: next.sort === 'recent' ? undefined : next.sort,
            developer: next.developer || undefined,
          }),
        })
      }
    />
  );
}
