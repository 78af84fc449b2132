import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { keys } from '#lib/queries/keys.ts';
import { type CustomerFilter, filterQuery } from './customer-filter.ts';

export type CustomerSort = NonNullable<NonNullable<Parameters<typeof api.listCustomers>[0]>['query']>['sort'];

export function customersQuery(filter: CustomerFilter, page: number, sort: CustomerSort) {
  return queryOptions({
    queryKey: keys.customers.list(filter, page, sort ?? ''),
    queryFn: ({ signal }) =>
      api.listCustomers({ query: { page, ...filterQuery(filter), ...(sort ? { sort } : {}) } }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function customerQuery(id: string) {
  return queryOptions({
    queryKey: keys.customers.one(id),
    queryFn: ({ signal }) => api.getCustomer({ path: { id } }, { signal }),
  });
}
