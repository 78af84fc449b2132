import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import type { Period } from '../../lib/period.ts';
import { keys } from '../../lib/queries/keys.ts';

const query = ({ from, to }: Period) => ({ startDate: from, endDate: to });

export function analyticsQuery(period: Period) {
  return queryOptions({
    queryKey: keys.analytics.period(period.from, period.to),
    queryFn: ({ signal }) => api.getAnalytics({ query: query(period) }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** Where customers redeemed, of all time. */
export const everywhereQuery = queryOptions({
  queryKey: keys.analytics.geo,
  queryFn: ({ signal }) => api.getAnalyticsGeo(undefined, { signal }),
});

export const analyticsCsv = (period: Period) =>
  api.stream.getAnalytics({ query: query(period) }, { accept: 'text/csv' });
