import { createFileRoute } from '@tanstack/react-router';
import { Soon } from '../../../features/later/soon.tsx';
import { requireReseller } from '../../../lib/guards.ts';

export const Route = createFileRoute('/_app/reseller/transactions')({
  beforeLoad: requireReseller,
  component: () => <Soon page="transactions" />,
});
