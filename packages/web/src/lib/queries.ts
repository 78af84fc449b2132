import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => api.getMe(undefined, { signal }),
  staleTime: 60_000,
});

export const planQuery = queryOptions({
  queryKey: ['me', 'plan'],
  queryFn: ({ signal }) => api.getMyPlan(undefined, { signal }),
  staleTime: 60_000,
});

/** This month's redemptions; the live stream says when to look again. */
export const usageQuery = queryOptions({
  queryKey: ['me', 'usage'],
  queryFn: ({ signal }) => api.getMyUsage(undefined, { signal }),
  staleTime: 60_000,
});

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: ({ signal }) => api.listPlans(undefined, { signal }),
  staleTime: 600_000,
});

/** The first hundred products that match; the total stands in the answer's header. */
export function productsQuery(search: string) {
  return queryOptions({
    queryKey: ['products', 'list', search],
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

export function productQuery(id: string) {
  return queryOptions({
    queryKey: ['products', 'one', id],
    queryFn: ({ signal }) => api.getProduct({ path: { id } }, { signal }),
  });
}
