import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { isStatus } from '../errors.ts';
import type { ProductUnlock } from '../types.ts';
import { page, q } from './operation.ts';

/** The first hundred products that match; the total is in a response header. */
export function productsQuery(search: string) {
  return queryOptions({
    ...page('listProducts', { query: { limit: 100, ...(search ? { search } : {}) } }),
    placeholderData: keepPreviousData,
  });
}

/** Asks for all cards that are shown at once. */
export function sparklinesQuery(ids: string[] | undefined) {
  const products = (ids ?? []).join(',');
  return queryOptions({
    ...q('getSparklines', { query: { products } }),
    enabled: products !== '',
  });
}

export function productQuery(id: string) {
  return q('getProduct', { path: { id } });
}

/** The unlock for good of a product; null: it has none. */
export function unlockQuery(id: string) {
  const path = { id };
  return queryOptions({
    queryKey: ['getProductUnlock', { path }] as const,
    queryFn: async ({ signal }): Promise<ProductUnlock | null> => {
      try {
        return await api.getProductUnlock({ path }, { signal });
      } catch (error) {
        if (isStatus(error, 404)) return null;
        throw error;
      }
    },
  });
}

/** Shows at once what the server has just answered. */
export function keepUnlock(queryClient: QueryClient, id: string, unlock: ProductUnlock | null) {
  queryClient.setQueryData(unlockQuery(id).queryKey, unlock);
}
