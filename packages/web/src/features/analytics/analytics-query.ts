import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { keys } from '#lib/queries/keys.ts';
import type { Period } from '#lib/time/period.ts';
import type { AnalyticsFilter } from './view.ts';

const filterOf = ({ product, reseller, country }: AnalyticsFilter) => ({
  ...(product ? { product_id: product } : {}),
  ...(reseller ? { reseller_id: reseller } : {}),
  ...(country ? { country } : {}),
});

const queryOf = ({ from, to }: Period, filter: AnalyticsFilter) => ({
  startDate: from,
  endDate: to,
  ...filterOf(filter),
});

const only = ({ product, reseller, country }: AnalyticsFilter): AnalyticsFilter => ({ product, reseller, country });

export function analyticsQuery(period: Period, filter: AnalyticsFilter) {
  return queryOptions({
    queryKey: keys.analytics.period(period.from, period.to, only(filter)),
    queryFn: ({ signal }) => api.getAnalytics({ query: queryOf(period, filter) }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** Where customers redeemed, of all time. */
export const everywhereQuery = (filter: AnalyticsFilter) =>
  queryOptions({
    queryKey: keys.analytics.geo(only(filter)),
    queryFn: ({ signal }) => api.getAnalyticsGeo({ query: filterOf(filter) }, { signal }),
  });

export const analyticsCsv = (period: Period, filter: AnalyticsFilter) =>
  api.stream.getAnalytics({ query: queryOf(period, filter) }, { accept: 'text/csv' });
