import { createFileRoute } from '@tanstack/react-router';
import { DeliveryScreen } from '#features/webhooks/delivery-page.tsx';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/webhooks/$id/$deliveryId')({
  beforeLoad: requireReseller,
  component: DeliveryScreen,
});
