import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { Webhook } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { notify } from '#ui/toast.ts';
import { useWebhookLinks } from './links.ts';
import { offHint, outcomeOf } from './words.ts';

const PATIENCE_MS = 20_000;
const EVERY_MS = 500;

/** Sends a sample and reports how the endpoint took it. */
export function TestButton({ webhook: { id, enabled } }: { webhook: Webhook }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const links = useWebhookLinks();
  const test = useMutation({
    mutationFn: async () => {
      const sent = await api.testWebhook({ path: { id }, body: {} });
      return firstAttempt(sent.delivery_ids[0] ?? '');
    },
    onSuccess: (delivery) => {
      const show = () => navigate({ to: links.delivery, params: { id, deliveryId: delivery.id } });
      if (delivery.state === 'delivered') notify.next('The test arrived.', { label: 'Show', onClick: show });
      else if (delivery.attempts === 0)
        notify.next('The test is waiting to be sent.', { label: 'Show', onClick: show });
      else notify.error(`The test did not arrive: ${outcomeOf(delivery)}`);
    },
    onError: (error) => notify.failed('The test was not sent', error),
    onSettled: () => refreshAfter(queryClient, 'webhooksChanged'),
  });
  return (
    <Button
      onClick={() => test.mutate()}
      busy={test.isPending}
      disabled={!enabled}
      title={enabled ? undefined : offHint}
    >
      <Send className="-ml-0.5 size-4" aria-hidden />
      Send test
    </Button>
  );
}

async function firstAttempt(id: string) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const delivery = await api.getWebhookDelivery({ path: { id } });
    if (delivery.attempts > 0 || delivery.state === 'skipped' || Date.now() > end) return delivery;
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
