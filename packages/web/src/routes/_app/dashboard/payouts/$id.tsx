import { createFileRoute } from '@tanstack/react-router';
import { PayoutPage } from '#features/payouts/payout-page.tsx';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/payouts/$id')({
  beforeLoad: requireDeveloper,
  component: PayoutScreen,
});

function PayoutScreen() {
  const { id } = Route.useParams();
  return <PayoutPage key={id} side="developer" id={id} />;
}
