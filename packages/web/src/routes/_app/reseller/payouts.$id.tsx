import { createFileRoute } from '@tanstack/react-router';
import { PayoutScreen } from '#features/payouts/payout-page.tsx';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/payouts/$id')({
  beforeLoad: requireReseller,
  component: PayoutScreen,
});
