import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { pages, q } from '#lib/queries/operation.ts';
import type { Period } from '#lib/time/period.ts';

const stockOf = (product: string) => (product ? { product_id: product } : {});
const batchesOf = (product: string, reseller: string) => ({
  ...stockOf(product),
  ...(reseller ? { reseller_id: reseller } : {}),
});

export const stockQuery = (product: string) =>
  queryOptions({
    ...q('getStockReport', { query: stockOf(product) }),
    placeholderData: keepPreviousData,
  });

export const stockCsv = (product: string) =>
  api.stream.getStockReport({ query: stockOf(product) }, { accept: 'text/csv' });

const versionsOf = (product: string, days: number) => ({ ...stockOf(product), days });

export const versionsQuery = (product: string, days: number) =>
  queryOptions({
    ...q('getVersionReport', { query: versionsOf(product, days) }),
    placeholderData: keepPreviousData,
  });

export const versionsCsv = (product: string, days: number) =>
  api.stream.getVersionReport({ query: versionsOf(product, days) }, { accept: 'text/csv' });

export const batchesQuery = (product: string, reseller: string) =>
  infiniteQueryOptions({
    ...pages('getBatchReport', { query: { ...batchesOf(product, reseller), limit: 10 } }),
    placeholderData: keepPreviousData,
  });

export const batchesCsv = (product: string, reseller: string) =>
  api.stream.getBatchReport({ query: batchesOf(product, reseller) }, { accept: 'text/csv' });

const daysOf = ({ from, to }: Period) => ({ startDate: from, endDate: to });

export const keyUseQuery = (period: Period) =>
  queryOptions({
    ...q('getPluginKeyReport', { query: daysOf(period) }),
    placeholderData: keepPreviousData,
  });

export const shopSalesQuery = (period: Period) =>
  queryOptions({
    ...q('getShopReport', { query: daysOf(period) }),
    placeholderData: keepPreviousData,
  });

export const shopSalesCsv = (period: Period) =>
  api.stream.getShopReport({ query: daysOf(period) }, { accept: 'text/csv' });

export const keyUseCsv = (period: Period) =>
  api.stream.getPluginKeyReport({ query: daysOf(period) }, { accept: 'text/csv' });
