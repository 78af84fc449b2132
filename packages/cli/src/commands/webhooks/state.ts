import type { Webhook, WebhookDelivery } from '@tonerow/sdk';

const OFF: Record<string, string> = {
  owner: 'paused',
  failing: 'off, failed for five days',
  gone: 'off, answered 410',
  secret: 'off, rotate its secret',
};

export function stateOf(webhook: Webhook): string {
  if (!webhook.enabled) return OFF[webhook.disabled_reason ?? ''] ?? 'off';
  if (webhook.first_failure_at) return `failing since ${webhook.first_failure_at}`;
  return webhook.last_success_at ? 'working' : 'unused';
}

/** How the last attempt of a delivery ended. */
export function outcomeOf({ state, last_status, last_error }: WebhookDelivery): string {
  const last = last_status === null ? (last_error ?? '') : String(last_status);
  return last === '' ? state : `${state} (${last})`;
}
