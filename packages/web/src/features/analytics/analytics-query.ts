import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { q } from '#lib/queries/operation.ts';
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

export function analyticsQuery(period: Period, filter: AnalyticsFilter) {
  return queryOptions({
    ...q('getAnalytics', { query: queryOf(period, filter) }),
    placeholderData: keepPreviousData,
  });
}

/** The countries in which customers redeemed, over all time. */
export const everywhereQuery = (filter: AnalyticsFilter) => q('getAnalyticsGeo', { query: filterOf(filter) });

export const analyticsCsv = (period: Period, filter: AnalyticsFilter) =>
  api.stream.getAnalytics({ query: queryOf(period, filter) }, { accept: 'text/csv' });
