import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { keys } from '../../lib/queries/keys.ts';
import type { DeliveryState } from './delivery-states.ts';

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

const SOON_MS = 60_000;
const DAY_MS = 86_400_000;
const PACE_MS = 2000;
/** Until the answer to an attempt is written down. */
const ANSWER_MS = 1000;

/** When the next of these attempts has an outcome; false when none of them is planned. */
function nextReadIn(rows: readonly { next_attempt_at: string | null }[]): number | false {
  const waits = rows.flatMap(({ next_attempt_at }) =>
    next_attempt_at === null ? [] : [Date.parse(next_attempt_at) - Date.now()],
  );
  // what is long overdue belongs to an endpoint that is paused, or to a server that has much to do
  const next = Math.min(...waits.filter((wait) => wait > -SOON_MS));
  return next < DAY_MS ? Math.max(PACE_MS, next + ANSWER_MS) : false;
}

/** A pause leaves what was due as it was: that is not asked for again and again. */
function isDue({ next_attempt_at }: { next_attempt_at: string | null }): boolean {
  return next_attempt_at !== null && Math.abs(Date.parse(next_attempt_at) - Date.now()) < SOON_MS;
}
