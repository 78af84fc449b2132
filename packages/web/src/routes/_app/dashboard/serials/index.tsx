import { createFileRoute } from '@tanstack/react-router';
import { SerialsHub } from '#features/serials/serials-hub.tsx';
import { choiceParam, idParam, pageParam, rangeParam, textParam } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

const batchSorts = [
  'created_at',
  'product',
  '-product',
  'tag',
  '-tag',
  'reseller',
  '-reseller',
  'quantity',
  '-quantity',
] as const;
const sorts = ['redeemed_at', 'customer', '-customer', 'product', '-product', 'total', '-total'] as const;

interface SerialsSearch {
  tab?: 'available' | 'generator' | 'batches' | undefined;
  search?: string | undefined;
  dateRange?: string | undefined;
  page?: number | undefined;
  sort?: (typeof sorts)[number] | (typeof batchSorts)[number] | undefined;
  /** Stock as one list, not in groups. */
  view?: 'list' | undefined;
  /** What is chosen of each filter: `a,b`, or `-a` for all but it. */
  status?: string | undefined;
  in?: string | undefined;
  reseller?: string | undefined;
  batch?: string | undefined;
  country?: string | undefined;
  customer?: string | undefined;
  /** The cursor of a page of batches. */
  cursor?: string | undefined;
  /** The product a generator link was made for. */
  product?: string | undefined;
  /** The reseller's request that the generated batch accepts. */
  deal_request?: string | undefined;
}

export const Route = createFileRoute('/_app/dashboard/serials/')({
  validateSearch: (search: Record<string, unknown>): SerialsSearch => ({
    tab: choiceParam(search.tab, ['available', 'generator', 'batches']),
    search: textParam(search.search),
    dateRange: rangeParam(search.dateRange),
    page: pageParam(search.page),
    sort: choiceParam(search.sort, search.tab === 'batches' ? [...batchSorts] : [...sorts]),
    view: choiceParam(search.view, ['list']),
    status: textParam(search.status),
    in: textParam(search.in),
    reseller: textParam(search.reseller),
    batch: textParam(search.batch),
    country: textParam(search.country),
    customer: textParam(search.customer),
    cursor: textParam(search.cursor),
    product: textParam(search.product),
    deal_request: idParam(search.deal_request),
  }),
  beforeLoad: requireDeveloper,
  component: SerialsScreen,
});

function SerialsScreen() {
  const {
    tab = 'redeemed',
    search = '',
    dateRange = 'all',
    page = 1,
    cursor,
    product,
    deal_request,
    sort,
    status,
    in: products,
    reseller,
    batch,
    country,
    customer,
    view,
  } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <SerialsHub
      tab={tab}
      product={product}
      dealRequest={deal_request}
      filter={{ search, dateRange, status, product: products, reseller, batch, country, customer }}
      flat={view === 'list'}
      sort={sorts.find((each) => each === sort)}
      batchSort={batchSorts.find((each) => each === sort)}
      onSort={(next) =>
        navigate({
          search: (before) => ({
            ...before,
            page: undefined,
            cursor: undefined,
            sort: [...sorts, ...batchSorts].find((each) => each === next),
          }),
        })
      }
      onCreate={() => navigate({ search: { tab: 'generator' } })}
      page={page}
      cursor={cursor}
      onFilter={(next, order) =>
        navigate({
          search: (before) => ({
            ...before,
            page: undefined,
            cursor: undefined,
            search: next.search || undefined,
            dateRange: next.dateRange === 'all' ? undefined : next.dateRange,
            status: next.status,
            in: next.product,
            reseller: next.reseller,
            batch: next.batch,
            country: next.country,
            customer: next.customer,
            sort: order === undefined ? before.sort : [...sorts, ...batchSorts].find((each) => each === order),
          }),
        })
      }
      onPage={(next, from) =>
        navigate({
          search: (before) => ({ ...before, page: next > 1 ? next : undefined, cursor: from }),
          resetScroll: true,
        })
      }
    />
  );
}
