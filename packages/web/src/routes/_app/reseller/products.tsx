import { createFileRoute } from '@tanstack/react-router';
import { Soon } from '../../../features/later/soon.tsx';
import { requireReseller } from '../../../lib/guards.ts';

export const Route = createFileRoute('/_app/reseller/products')({
  beforeLoad: requireReseller,
  component: () => <Soon page="products" />,
});
