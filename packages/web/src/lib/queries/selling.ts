import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { pages, q } from './operation.ts';

interface OfferFilter {
  search?: string;
  product?: string;
}

/** The products and prices that a reseller can sell now, page by page. */
export const offersQuery = ({ search = '', product }: OfferFilter) =>
  infiniteQueryOptions({
    ...pages('listOffers', {
      query: {
        limit: 60,
        ...(search ? { search } : {}),
        ...(product ? { product_id: product } : {}),
      },
    }),
    placeholderData: keepPreviousData,
  });

/** The sales made by hand today, newest first. */
export const soldQuery = pages('listHandSales', { query: { limit: 20 } });

export const saleQuery = (reference: string) =>
  queryOptions({
    ...q('getHandSale', { path: { reference } }),
    // whether the email has left: no event reports it
    refetchInterval: ({ state }) => (state.data?.email?.state === 'queued' ? 5000 : false),
  });
