import { createFileRoute } from '@tanstack/react-router';
import { BillingHub } from '#features/billing/billing-hub.tsx';
import { page, period, searchSchema } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/billing/')({
  // the page is of the history; the first one is the latest month
  ...searchSchema({ range: period, page }),
  beforeLoad: requireDeveloper,
  component: BillingScreen,
});

function BillingScreen() {
  const [{ range, page }, change] = useSearchState(Route);
  return (
    <BillingHub
      range={range}
      onRange={(next) => change({ range: next })}
      page={page}
      onPage={(next) => change({ page: next })}
    />
  );
}
