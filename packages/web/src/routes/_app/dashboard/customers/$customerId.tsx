import { createFileRoute } from '@tanstack/react-router';
import { CustomerPage } from '#features/customers/customer-page.tsx';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/customers/$customerId')({
  beforeLoad: requireDeveloper,
  component: CustomerScreen,
});

function CustomerScreen() {
  const { customerId } = Route.useParams();
  return <CustomerPage key={customerId} id={customerId} />;
}
