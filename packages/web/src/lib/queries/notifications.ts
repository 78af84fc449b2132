import { queryOptions } from '@tanstack/react-query';
import { q } from './operation.ts';

/**
 * The newest notices, and the two numbers that the bell and the list of notifications show: both read this one answer, so
 * that they never differ. Refreshed by live events.
 */
export const recentNoticesQuery = queryOptions({
  ...q('listNotifications', { query: { limit: 10 } }),
  staleTime: 60_000,
});
