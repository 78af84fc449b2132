import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type { listResellerProductsSort } from '@tonerow/sdk/values';
import { pages, q } from './operation.ts';

export type CatalogSort = (typeof listResellerProductsSort)[number];

export interface CatalogFilter {
  search: string;
  sort: CatalogSort;
  /** A developer's id; empty: all. */
  developer: string;
}

const pageSize = 24;

const queryOf = ({ search, sort, developer }: CatalogFilter) => ({
  sort,
  limit: pageSize,
  ...(search ? { search } : {}),
  ...(developer ? { developer_id: developer } : {}),
});

/** The products that a reseller can sell, page by page. */
export const catalogProductsQuery = (filter: CatalogFilter) =>
  infiniteQueryOptions({
    ...pages('listResellerProducts', { query: queryOf(filter) }),
    placeholderData: keepPreviousData,
  });

/** The deals that a reseller was given, page by page. */
export const catalogDealsQuery = (filter: CatalogFilter, state?: 'current' | 'expired') =>
  infiniteQueryOptions({
    ...pages('listResellerDeals', { query: { ...queryOf(filter), ...(state ? { state } : {}) } }),
    placeholderData: keepPreviousData,
  });

/** A product, or one deal of it, with the newest of its serials. */
export const catalogItemQuery = (id: string, deal: string | undefined) =>
  q('getResellerProduct', { path: { id }, query: deal ? { deal } : {} });
