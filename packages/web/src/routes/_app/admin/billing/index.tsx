import { createFileRoute } from '@tanstack/react-router';
import { BillingLogs } from '#features/admin/billing/billing-logs.tsx';
import { choiceParam, idParam, monthParam, pageParam, textParam } from '#lib/navigation/search-params.ts';
import type { BillingLogRow } from '#lib/types.ts';

interface LogsSearch {
  search?: string | undefined;
  status?: BillingLogRow['status'] | undefined;
  action?: BillingLogRow['action'] | undefined;
  month?: string | undefined;
  user?: string | undefined;
  page?: number | undefined;
}

export const Route = createFileRoute('/_app/admin/billing/')({
  validateSearch: (search: Record<string, unknown>): LogsSearch => ({
    search: textParam(search.search),
    status: choiceParam(search.status, ['success', 'failed']),
    action: choiceParam(search.action, ['charge', 'balance', 'retry', 'uncollectible', 'void']),
    month: monthParam(search.month),
    user: idParam(search.user),
    page: pageParam(search.page),
  }),
  component: LogsScreen,
});

function LogsScreen() {
  const { page = 1, ...filter } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <BillingLogs
      filter={filter}
      onFilter={(next) => navigate({ search: next, resetScroll: false })}
      page={page}
      onPage={(next) => navigate({ search: { ...filter, page: next > 1 ? next : undefined }, resetScroll: false })}
    />
  );
}
