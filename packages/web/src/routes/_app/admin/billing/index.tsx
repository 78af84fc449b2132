import { createFileRoute } from '@tanstack/react-router';
import { BillingLogs } from '#features/admin/billing/billing-logs.tsx';
import { id, month, oneOf, page, searchSchema, text } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';

export const Route = createFileRoute('/_app/admin/billing/')({
  ...searchSchema({
    search: text,
    status: oneOf(['success', 'failed']),
    action: oneOf(['charge', 'balance', 'retry', 'uncollectible', 'void']),
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
