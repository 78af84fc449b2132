import { createFileRoute } from '@tanstack/react-router';
import { InvoicePage } from '#features/billing/invoices/invoice-page.tsx';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/billing/invoices/$id')({
  beforeLoad: requireDeveloper,
  component: InvoiceScreen,
});

function InvoiceScreen() {
  const { id } = Route.useParams();
  return <InvoicePage key={id} id={id} />;
}
