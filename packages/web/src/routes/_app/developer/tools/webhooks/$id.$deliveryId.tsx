import { createFileRoute } from '@tanstack/react-router';
import { DeliveryScreen } from '#features/webhooks/delivery-page.tsx';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/developer/tools/webhooks/$id/$deliveryId')({
  beforeLoad: requireDeveloper,
  component: DeliveryScreen,
});
