import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { InputOf } from '@tonerow/sdk';
import { pages, q } from '#lib/queries/operation.ts';
import type { DeliveryState } from './delivery-states.ts';
import { isDue, nextReadIn, PACE_MS } from './next-read.ts';

export const webhooksQuery = queryOptions({
  ...q('listWebhooks'),
  select: ({ webhooks }) => webhooks,
});

export const webhookQuery = (id: string) => q('getWebhook', { path: { id } });

/** What an endpoint can ask for. Changes with a new version of the server only. */
export const eventTypesQuery = queryOptions({
  ...q('listWebhookEventTypes'),
  select: ({ types }) => types,
  staleTime: 'static',
});

export interface DeliveriesFilter {
  state: DeliveryState | undefined;
  type: string | undefined;
}

type ListedType = NonNullable<InputOf<'listWebhookDeliveries'>['query']>['type'];

export const deliveriesQuery = (id: string, { state, type }: DeliveriesFilter) =>
  infiniteQueryOptions({
    ...pages('listWebhookDeliveries', {
      path: { id },
      query: { limit: 20, ...(state ? { state } : {}), ...(type ? { type: type as ListedType } : {}) },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => nextReadIn(data?.pages[0]?.rows ?? []),
  });

/** Asks again while an attempt is under way. */
export const deliveryQuery = (id: string) =>
  queryOptions({
    ...q('getWebhookDelivery', { path: { id } }),
    refetchInterval: ({ state: { data } }) => (data && isDue(data) ? PACE_MS : false),
  });
