import { createFileRoute } from '@tanstack/react-router';
import { Soon } from '../../../features/later/soon.tsx';
import { requireReseller } from '../../../lib/guards.ts';

export const Route = createFileRoute('/_app/reseller/analytics')({
  beforeLoad: requireReseller,
  component: () => <Soon page="analytics" />,
});
