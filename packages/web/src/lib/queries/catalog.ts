import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { keys } from './keys.ts';

export type CatalogSort = 'recent' | 'alphabetical' | 'popular';

export interface CatalogFilter {
  search: string;
  sort: CatalogSort;
  /** A developer's id; empty: all. */
  developer: string;
}

const pageSize = 24;
const pages = { initialPageParam: '', getNextPageParam: (page: { next_cursor: string | null }) => page.next_cursor };

const queryOf = ({ search, sort, developer }: CatalogFilter, cursor: string) => ({
  sort,
  limit: pageSize,
  ...(search ? { search } : {}),
  ...(developer ? { developer_id: developer } : {}),
  ...(cursor ? { cursor } : {}),
});

/** The products that a reseller can sell, page by page. */
export const catalogProductsQuery = (filter: CatalogFilter) =>
  infiniteQueryOptions({
    ...pages,
    queryKey: keys.catalog.products(filter),
    queryFn: ({ pageParam, signal }) => api.listResellerProducts({ query: queryOf(filter, pageParam) }, { signal }),
    placeholderData: keepPreviousData,
  });

/** The deals that a reseller was given, page by page. */
export const catalogDealsQuery = (filter: CatalogFilter, state?: 'current' | 'expired') =>
  infiniteQueryOptions({
    ...pages,
    queryKey: keys.catalog.deals(filter, state),
    queryFn: ({ pageParam, signal }) =>
      api.listResellerDeals({ query: { ...queryOf(filter, pageParam), ...(state ? { state } : {}) } }, { signal }),
    placeholderData: keepPreviousData,
  });

/** A product, or one deal of it, with the newest of its serials. */
export const catalogItemQuery = (id: string, deal: string | undefined) =>
  queryOptions({
    queryKey: keys.catalog.one(id, deal),
    queryFn: ({ signal }) => api.getResellerProduct({ path: { id }, query: deal ? { deal } : {} }, { signal }),
  });
