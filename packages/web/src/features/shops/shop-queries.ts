import { queryOptions } from '@tanstack/react-query';
import { pages, q } from '#lib/queries/operation.ts';

/** Reports come without being asked for, and nothing else shows that one did while somebody waits for the first. */
export const PACE_MS = 2000;
const SLOW_MS = 20_000;

export const shopsQuery = queryOptions({ ...q('listShops'), refetchInterval: SLOW_MS });

/** @param waiting somebody is in front of it, and waits for what comes. */
export const shopQuery = (id: string, waiting = false) =>
  queryOptions({ ...q('getShop', { path: { id } }), refetchInterval: waiting ? PACE_MS : SLOW_MS });

export const newestDeliveryQuery = (id: string, waiting = false) =>
  queryOptions({
    ...q('listShopDeliveries', { path: { id }, query: { limit: 1 } }),
    refetchInterval: waiting ? PACE_MS : false,
    select: ({ rows }) => rows[0],
  });

/** The items that a shop sells. The unmapped ones can be listed by themselves, because they wait. */
export const itemsQuery = (id: string, unmapped: boolean) =>
  pages('listShopItems', { path: { id }, query: { limit: 50, ...(unmapped ? { unmapped: true } : {}) } });

/** While an order waits for its job, or for an email. */
export const orderQuery = (id: string) =>
  queryOptions({
    ...q('getShopOrder', { path: { id } }),
    refetchInterval: ({ state: { data } }) =>
      data?.order.deliveries.some(({ state }) => state === 'received') ? PACE_MS : false,
  });
