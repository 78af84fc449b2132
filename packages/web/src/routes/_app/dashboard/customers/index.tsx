import { createFileRoute } from '@tanstack/react-router';
import { CustomersHub } from '../../../../features/customers/customers-hub.tsx';
import { requireDeveloper } from '../../../../lib/guards.ts';
import { pageParam, rangeParam, textParam } from '../../../../lib/search-params.ts';

interface CustomersSearch {
  search?: string | undefined;
  dateRange?: string | undefined;
  page?: number | undefined;
}

export const Route = createFileRoute('/_app/dashboard/customers/')({
  validateSearch: (search: Record<string, unknown>): CustomersSearch => ({
    search: textParam(search.search),
    dateRange: rangeParam(search.dateRange),
    page: pageParam(search.page),
  }),
  beforeLoad: requireDeveloper,
  // it stands above the list, so it is known before the list is drawn; without an answer the list comes alone
  loader: async ({ context }) => {
    const { firstStepsQuery } = await import('../../../../lib/queries/account.ts');
    await context.queryClient.ensureQueryData(firstStepsQuery).catch(() => undefined);
  },
  component: CustomersScreen,
});

function CustomersScreen() {
  const { search = '', dateRange = 'all', page = 1 } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <CustomersHub
      filter={{ search, dateRange }}
      page={page}
      onFilter={(next) =>
        navigate({
          search: {
            search: next.search || undefined,
            dateRange: next.dateRange === 'all' ? undefined : next.dateRange,
          },
        })
      }
      onPage={(next) =>
        navigate({ search: (before) => ({ ...before, page: next > 1 ? next : undefined }), resetScroll: true })
      }
    />
  );
}
