import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { api } from '#lib/api.ts';
import { q } from '#lib/queries/operation.ts';
import { type CustomerFilter, filterQuery } from './customer-filter.ts';

export type CustomerSort = NonNullable<NonNullable<Parameters<typeof api.listCustomers>[0]>['query']>['sort'];

export function customersQuery(filter: CustomerFilter, page: number, sort: CustomerSort) {
  return queryOptions({
    ...q('listCustomers', { query: { page, ...filterQuery(filter), ...(sort ? { sort } : {}) } }),
    placeholderData: keepPreviousData,
  });
}

export function customerQuery(id: string) {
  return q('getCustomer', { path: { id } });
}
