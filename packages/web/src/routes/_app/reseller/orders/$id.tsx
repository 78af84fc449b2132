import { createFileRoute } from '@tanstack/react-router';
import { OrderScreen } from '#features/shops/orders/order-page.tsx';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/orders/$id')({
  beforeLoad: requireReseller,
  component: OrderScreen,
});
