import { queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { keys } from './keys.ts';

/**
 * The newest notices, and the two numbers that the bell and the list of notifications show: both read this one answer, so
 * that they never differ. Refreshed by live events.
 */
export const recentNoticesQuery = queryOptions({
  queryKey: keys.notifications.recent,
  queryFn: ({ signal }) => api.listNotifications({ query: { limit: 10 } }, { signal }),
  staleTime: 60_000,
});
