import { createFileRoute } from '@tanstack/react-router';
import { MyDealsPage } from '#features/catalog/my-deals-page.tsx';
import { choiceParam, idParam, textParam } from '#lib/navigation/search-params.ts';
import type { CatalogSort } from '#lib/queries/catalog.ts';
import { requireReseller } from '#lib/session/guards.ts';

interface DealsSearch {
  search?: string | undefined;
  sort?: Exclude<CatalogSort, 'recent'> | undefined;
  developer?: string | undefined;
}

export const Route = createFileRoute('/_app/reseller/my-deals')({
  validateSearch: (search: Record<string, unknown>): DealsSearch => ({
    search: textParam(search.search),
    sort: choiceParam(search.sort, ['alphabetical', 'popular']),
    developer: idParam(search.developer),
  }),
  beforeLoad: requireReseller,
  component: Screen,
});

function Screen() {
  const { search = '', sort = 'recent', developer = '' } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <MyDealsPage
      filter={{ search, sort, developer }}
      onFilter={(next) =>
        navigate({
          search: {
            search: next.search || undefined,
            sort: next.sort === 'recent' ? undefined : next.sort,
            developer: next.developer || undefined,
          },
        })
      }
    />
  );
}
