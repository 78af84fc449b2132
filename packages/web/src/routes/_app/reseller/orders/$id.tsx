import { createFileRoute } from '@tanstack/react-router';
import { OrderPage } from '#features/shops/orders/order-page.tsx';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/orders/$id')({
  beforeLoad: requireReseller,
  component: OrderScreen,
});

function OrderScreen() {
  const { id } = Route.useParams();
  return <OrderPage key={id} id={id} />;
}
