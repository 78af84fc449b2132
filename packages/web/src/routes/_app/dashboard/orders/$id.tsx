import { createFileRoute } from '@tanstack/react-router';
import { OrderScreen } from '#features/shops/orders/order-page.tsx';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/orders/$id')({
  beforeLoad: requireDeveloper,
  component: OrderScreen,
});
