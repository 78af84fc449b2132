import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { keys } from '#lib/queries/keys.ts';
import type { DeliveryState } from './delivery-states.ts';
import { isDue, nextReadIn, PACE_MS } from './next-read.ts';

export const webhooksQuery = queryOptions({
  queryKey: keys.webhooks.list,
  queryFn: async ({ signal }) => (await api.listWebhooks(undefined, { signal })).webhooks,
});

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: keys.webhooks.one(id),
    queryFn: ({ signal }) => api.getWebhook({ path: { id } }, { signal }),
  });

/** What an endpoint can ask for. Changes with a new version of the server only. */
export const eventTypesQuery = queryOptions({
  queryKey: keys.webhooks.types,
  queryFn: async ({ signal }) => (await api.listWebhookEventTypes(undefined, { signal })).types,
  staleTime: 'static',
});

export interface DeliveriesFilter {
  state?: DeliveryState | undefined;
  type?: string | undefined;
}

type ListedType = NonNullable<Parameters<typeof api.listWebhookDeliveries>[0]['query']>['type'];

export const deliveriesQuery = (id: string, { state, type }: DeliveriesFilter) =>
  infiniteQueryOptions({
    queryKey: keys.webhooks.deliveries(id, state, type),
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: 20,
        ...(state ? { state } : {}),
        ...(type ? { type: type as ListedType } : {}),
        ...(pageParam ? { cursor: pageParam } : {}),
      };
      return api.listWebhookDeliveries({ path: { id }, query }, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => nextReadIn(data?.pages[0]?.rows ?? []),
  });

/** Asks again while an attempt is under way. */
export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: keys.webhooks.delivery(id),
    queryFn: ({ signal }) => api.getWebhookDelivery({ path: { id } }, { signal }),
    refetchInterval: ({ state: { data } }) => (data && isDue(data) ? PACE_MS : false),
  });
