import { createFileRoute } from '@tanstack/react-router';
import { WebhooksPage } from '#features/webhooks/webhooks-page.tsx';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/webhooks/')({
  beforeLoad: requireReseller,
  component: WebhooksPage,
});
