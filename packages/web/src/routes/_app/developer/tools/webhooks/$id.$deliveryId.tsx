import { createFileRoute } from '@tanstack/react-router';
import { DeliveryPage } from '#features/webhooks/delivery-page.tsx';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/developer/tools/webhooks/$id/$deliveryId')({
  beforeLoad: requireDeveloper,
  component: DeliveryScreen,
});

function DeliveryScreen() {
  const { id, deliveryId } = Route.useParams();
  return <DeliveryPage key={deliveryId} id={id} deliveryId={deliveryId} />;
}
