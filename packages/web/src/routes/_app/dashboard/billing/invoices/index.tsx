import { createFileRoute } from '@tanstack/react-router';
import { invoiceSearch } from '#features/billing/invoices/invoice-search.ts';
import { InvoicesPage } from '#features/billing/invoices/invoices-page.tsx';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/billing/invoices/')({
  ...searchSchema(invoiceSearch),
  beforeLoad: requireDeveloper,
  component: InvoicesPage,
});
