import { createFileRoute } from '@tanstack/react-router';
import { PayoutPage } from '#features/payouts/payout-page.tsx';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/payouts/$id')({
  beforeLoad: requireReseller,
  component: PayoutScreen,
});

function PayoutScreen() {
  const { id } = Route.useParams();
  return <PayoutPage key={id} side="reseller" id={id} />;
}
