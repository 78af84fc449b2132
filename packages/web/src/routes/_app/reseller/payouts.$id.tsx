import { createFileRoute } from '@tanstack/react-router';
import { Soon } from '../../../features/later/soon.tsx';
import { requireReseller } from '../../../lib/guards.ts';

export const Route = createFileRoute('/_app/reseller/payouts/$id')({
  beforeLoad: requireReseller,
  component: () => <Soon page="payout" />,
});
