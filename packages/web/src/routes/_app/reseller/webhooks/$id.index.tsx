import { createFileRoute } from '@tanstack/react-router';
import { deliverySearch } from '#features/webhooks/delivery-states.ts';
import { WebhookScreen } from '#features/webhooks/webhook-page.tsx';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/webhooks/$id/')({
  ...searchSchema(deliverySearch),
  beforeLoad: requireReseller,
  component: WebhookScreen,
});
