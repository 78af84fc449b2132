import { createFileRoute } from '@tanstack/react-router';
import { BillingTabs } from '#features/billing/billing-tabs.tsx';
import { InvoicesPage } from '#features/billing/invoices/invoices-page.tsx';
import { choiceParam } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';
import { type InvoiceState, invoiceStates } from '#lib/types.ts';

interface InvoicesSearch {
  state?: InvoiceState | undefined;
  year?: number | undefined;
}

function yearParam(value: unknown): number | undefined {
  const year = Number(value);
  return Number.isInteger(year) && year >= 2000 && year <= 9999 ? year : undefined;
}

export const Route = createFileRoute('/_app/dashboard/billing/invoices/')({
  validateSearch: (search: Record<string, unknown>): InvoicesSearch => ({
    state: choiceParam(search.state, invoiceStates),
    year: yearParam(search.year),
  }),
  beforeLoad: requireDeveloper,
  component: InvoicesScreen,
});

function InvoicesScreen() {
  const filter = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <>
      <BillingTabs />
      <InvoicesPage filter={filter} onFilter={(next) => navigate({ search: next })} />
    </>
  );
}
