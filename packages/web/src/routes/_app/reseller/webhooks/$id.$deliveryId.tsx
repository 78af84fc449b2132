import { createFileRoute } from '@tanstack/react-router';
import { DeliveryPage } from '#features/webhooks/delivery-page.tsx';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/webhooks/$id/$deliveryId')({
  beforeLoad: requireReseller,
  component: DeliveryScreen,
});

function DeliveryScreen() {
  const { id, deliveryId } = Route.useParams();
  return <DeliveryPage key={deliveryId} id={id} deliveryId={deliveryId} />;
}
