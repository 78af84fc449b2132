import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { page, q } from './operation.ts';

/** The first hundred products that match; the total is in a response header. */
export function productsQuery(search: string) {
  return queryOptions({
    ...page('listProducts', { query: { limit: 100, ...(search ? { search } : {}) } }),
    placeholderData: keepPreviousData,
  });
}

/** Of all cards that are shown, at once. */
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
