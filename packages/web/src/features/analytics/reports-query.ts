import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { keys } from '#lib/queries/keys.ts';
import type { Period } from '#lib/time/period.ts';

const stockOf = (product: string) => (product ? { product_id: product } : {});
const batchesOf = (product: string, reseller: string) => ({
  ...stockOf(product),
  ...(reseller ? { reseller_id: reseller } : {}),
});

export const stockQuery = (product: string) =>
  queryOptions({
    queryKey: keys.analytics.stock(product),
    queryFn: ({ signal }) => api.getStockReport({ query: stockOf(product) }, { signal }),
    placeholderData: keepPreviousData,
  });

export const stockCsv = (product: string) =>
  api.stream.getStockReport({ query: stockOf(product) }, { accept: 'text/csv' });

const versionsOf = (product: string, days: number) => ({ ...stockOf(product), days });

export const versionsQuery = (product: string, days: number) =>
  queryOptions({
    queryKey: keys.analytics.versions(product, days),
    queryFn: ({ signal }) => api.getVersionReport({ query: versionsOf(product, days) }, { signal }),
    placeholderData: keepPreviousData,
  });

export const versionsCsv = (product: string, days: number) =>
  api.stream.getVersionReport({ query: versionsOf(product, days) }, { accept: 'text/csv' });

export const batchesQuery = (product: string, reseller: string) =>
  infiniteQueryOptions({
    queryKey: keys.analytics.batches(product, reseller),
    queryFn: ({ pageParam, signal }) =>
      api.getBatchReport(
        { query: { ...batchesOf(product, reseller), limit: 10, ...(pageParam ? { cursor: pageParam } : {}) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });

export const batchesCsv = (product: string, reseller: string) =>
  api.stream.getBatchReport({ query: batchesOf(product, reseller) }, { accept: 'text/csv' });

const daysOf = ({ from, to }: Period) => ({ startDate: from, endDate: to });

export const keyUseQuery = (period: Period) =>
  queryOptions({
    queryKey: keys.analytics.pluginKeys(period.from, period.to),
    queryFn: ({ signal }) => api.getPluginKeyReport({ query: daysOf(period) }, { signal }),
    placeholderData: keepPreviousData,
  });

export const keyUseCsv = (period: Period) =>
  api.stream.getPluginKeyReport({ query: daysOf(period) }, { accept: 'text/csv' });
