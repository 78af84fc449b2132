import { createFileRoute } from '@tanstack/react-router';
import { listInvoicesState } from '@tonerow/sdk/values';
import { BillingTabs } from '#features/billing/billing-tabs.tsx';
import { InvoicesPage } from '#features/billing/invoices/invoices-page.tsx';
import { number, oneOf, searchSchema } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/billing/invoices/')({
  ...searchSchema({ state: oneOf(listInvoicesState), year: number((year) => year >= 2000 && year <= 9999) }),
  beforeLoad: requireDeveloper,
  component: InvoicesScreen,
});

function InvoicesScreen() {
  const [filter, change] = useSearchState(Route);
  return (
    <>
      <BillingTabs />
      <InvoicesPage filter={filter} onFilter={change} />
    </>
  );
}
