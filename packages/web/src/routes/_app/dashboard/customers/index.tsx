import { createFileRoute } from '@tanstack/react-router';
import { CustomersHub } from '#features/customers/customers-hub.tsx';
import { choiceParam, pageParam, rangeParam, textParam } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

const sorts = ['signup_date', 'name', '-name', 'last_login', '-last_login'] as const;

interface CustomersSearch {
  search?: string | undefined;
  dateRange?: string | undefined;
  page?: number | undefined;
  sort?: (typeof sorts)[number] | undefined;
  /** The days in which a serial was redeemed. */
  redeemed?: string | undefined;
  /** What is chosen of each filter: `a,b`, or `-a` for all but it. */
  product?: string | undefined;
  status?: string | undefined;
  reseller?: string | undefined;
  country?: string | undefined;
}

export const Route = createFileRoute('/_app/dashboard/customers/')({
  validateSearch: (search: Record<string, unknown>): CustomersSearch => ({
    search: textParam(search.search),
    dateRange: rangeParam(search.dateRange),
    page: pageParam(search.page),
    sort: choiceParam(search.sort, [...sorts]),
    redeemed: rangeParam(search.redeemed),
    product: textParam(search.product),
    status: textParam(search.status),
    reseller: textParam(search.reseller),
    country: textParam(search.country),
  }),
  beforeLoad: requireDeveloper,
  // it stands above the list, so it is known before the list is drawn; without an answer the list comes alone
  loader: async ({ context }) => {
    const { firstStepsQuery } = await import('#lib/queries/account.ts');
    await context.queryClient.ensureQueryData(firstStepsQuery).catch(() => undefined);
  },
  component: CustomersScreen,
});

function CustomersScreen() {
  const { search = '', dateRange = 'all', page = 1, sort, redeemed = 'all', ...chosen } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <CustomersHub
      filter={{ search, dateRange, redeemed, ...chosen }}
      page={page}
      sort={sort}
      onFilter={(next, order) =>
        navigate({
          search: (before) => ({
            ...next,
            sort: order === undefined ? before.sort : sorts.find((each) => each === order),
            search: next.search || undefined,
            dateRange: next.dateRange === 'all' ? undefined : next.dateRange,
            redeemed: next.redeemed === 'all' ? undefined : next.redeemed,
          }),
        })
      }
      onSort={(by) =>
        navigate({ search: (before) => ({ ...before, page: undefined, sort: sorts.find((each) => each === by) }) })
      }
      onPage={(next) =>
        navigate({ search: (before) => ({ ...before, page: next > 1 ? next : undefined }), resetScroll: true })
      }
    />
  );
}
