import { queryOptions } from '@tanstack/react-query';
import { q } from '#lib/queries/operation.ts';
import { isDue, PACE_MS } from './next-read.ts';

export const webhooksQuery = queryOptions({
  ...q('listWebhooks'),
  select: ({ webhooks }) => webhooks,
});

export const webhookQuery = (id: string) => q('getWebhook', { path: { id } });

/** The event types that an endpoint can ask for. They change only with a new version of the server. */
export const eventTypesQuery = queryOptions({
  ...q('listWebhookEventTypes'),
  select: ({ types }) => types,
  staleTime: 'static',
});

/** Asks again while an attempt is under way. */
export const deliveryQuery = (id: string) =>
  queryOptions({
    ...q('getWebhookDelivery', { path: { id } }),
    refetchInterval: ({ state: { data } }) => (data && isDue(data) ? PACE_MS : false),
  });
