import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { keys } from './keys.ts';

const pages = { initialPageParam: '', getNextPageParam: (page: { next_cursor: string | null }) => page.next_cursor };

interface OfferFilter {
  search?: string;
  product?: string;
}

/** What a reseller can sell now, by product and price, page by page. */
export const offersQuery = ({ search = '', product }: OfferFilter) =>
  infiniteQueryOptions({
    ...pages,
    queryKey: keys.selling.offers({ search, product }),
    queryFn: ({ pageParam, signal }) =>
      api.listOffers(
        {
          query: {
            limit: 60,
            ...(search ? { search } : {}),
            ...(product ? { product_id: product } : {}),
            ...(pageParam ? { cursor: pageParam } : {}),
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

/** What was sold by hand today, newest first. */
export const soldQuery = infiniteQueryOptions({
  ...pages,
  queryKey: keys.selling.sold,
  queryFn: ({ pageParam, signal }) =>
    api.listHandSales({ query: { limit: 20, ...(pageParam ? { cursor: pageParam } : {}) } }, { signal }),
});

export const saleQuery = (reference: string) =>
  queryOptions({
    queryKey: keys.selling.sale(reference),
    queryFn: ({ signal }) => api.getHandSale({ path: { reference } }, { signal }),
    // whether the email has left: no event tells of it
    refetchInterval: ({ state }) => (state.data?.email?.state === 'queued' ? 5000 : false),
  });
