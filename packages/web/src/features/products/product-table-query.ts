import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { api } from '#lib/api.ts';
import { page } from '#lib/queries/operation.ts';

const kinds = ['status', 'stock', 'files', 'price'] as const;
type Kind = (typeof kinds)[number];

/** As in the URL: search, and of each kind what is chosen (`a,-b`). */
export interface ProductFilter extends Partial<Record<Kind, string | undefined>> {
  search: string;
}

export type ProductSort = NonNullable<NonNullable<Parameters<typeof api.listProducts>[0]>['query']>['sort'];
export type ListedProduct = Awaited<ReturnType<typeof api.listProducts>>[number];

export const nothing: ProductFilter = {
  search: '',
  status: undefined,
  stock: undefined,
  files: undefined,
  price: undefined,
};

export const hasChosen = (filter: ProductFilter) => kinds.some((kind) => filter[kind] !== undefined);

/** As the server takes it. */
export function filterQuery(filter: ProductFilter): Partial<Record<Kind | 'search', string>> {
  return Object.fromEntries(
    (['search', ...kinds] as const).flatMap((kind) => (filter[kind] ? [[kind, filter[kind]]] : [])),
  );
}

export const pageSize = 20;

export function productTableQuery(filter: ProductFilter, sort: ProductSort, cursor: string | undefined) {
  const query = filterQuery(filter);
  return queryOptions({
    ...page('listProducts', {
      query: { ...query, limit: pageSize, figures: true, ...(sort ? { sort } : {}), ...(cursor ? { cursor } : {}) },
    }),
    placeholderData: keepPreviousData,
  });
}
