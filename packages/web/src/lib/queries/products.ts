import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { keys } from './keys.ts';

/** The first hundred products that match; the total is in a response header. */
export function productsQuery(search: string) {
  return queryOptions({
    queryKey: keys.products.list(search),
    queryFn: async ({ signal }) => {
      const { data, response } = await api.withResponse.listProducts(
        { query: { limit: 100, ...(search ? { search } : {}) } },
        { signal },
      );
      return {
        products: data,
        total: Number(response.headers.get('X-Total-Count') ?? data.length),
        next: response.headers.get('X-Next-Cursor'),
      };
    },
    placeholderData: keepPreviousData,
  });
}

/** Of all cards that are shown, at once. */
export function sparklinesQuery(ids: string[] | undefined) {
  const products = (ids ?? []).join(',');
  return queryOptions({
    queryKey: keys.analytics.sparklines(products),
    queryFn: ({ signal }) => api.getSparklines({ query: { products } }, { signal }),
    enabled: products !== '',
  });
}

export function productQuery(id: string) {
  return queryOptions({
    queryKey: keys.products.one(id),
    queryFn: ({ signal }) => api.getProduct({ path: { id } }, { signal }),
  });
}
