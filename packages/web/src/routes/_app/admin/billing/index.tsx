import { createFileRoute } from '@tanstack/react-router';
import { listBillingLogsAction, listBillingLogsStatus } from '@tonerow/sdk/values';
import { BillingLogs } from '#features/admin/billing/billing-logs.tsx';
import { id, month, oneOf, page, searchSchema, text } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';

export const Route = createFileRoute('/_app/admin/billing/')({
  ...searchSchema({
    search: text,
    status: oneOf(listBillingLogsStatus),
    action: oneOf(listBillingLogsAction),
    month,
    user: id,
    page,
  }),
  component: LogsScreen,
});

function LogsScreen() {
  const [{ page, ...filter }, change] = useSearchState(Route);
  return (
    <BillingLogs
      filter={filter}
      onFilter={(next) => change({ ...next, page: 1 })}
      page={page}
      onPage={(next) => change({ page: next })}
    />
  );
}
