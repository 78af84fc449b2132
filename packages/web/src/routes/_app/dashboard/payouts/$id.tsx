import { createFileRoute } from '@tanstack/react-router';
import { PayoutScreen } from '#features/payouts/payout-page.tsx';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/payouts/$id')({
  beforeLoad: requireDeveloper,
  component: PayoutScreen,
});
