import { createFileRoute } from '@tanstack/react-router';
import { WebhooksPage } from '#features/webhooks/webhooks-page.tsx';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/developer/tools/webhooks/')({
  beforeLoad: requireDeveloper,
  component: WebhooksPage,
});
