import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { keys } from '../../lib/queries/keys.ts';
import type { ListFilter } from '../../ui/filter-bar.tsx';

export const filterQuery = ({ search, dateRange }: ListFilter) => ({ dateRange, ...(search ? { search } : {}) });

export function customersQuery(filter: ListFilter, page: number) {
  return queryOptions({
    queryKey: keys.customers.list(filter, page),
    queryFn: ({ signal }) => api.listCustomers({ query: { page, ...filterQuery(filter) } }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function customerQuery(id: string) {
  return queryOptions({
    queryKey: keys.customers.one(id),
    queryFn: ({ signal }) => api.getCustomer({ path: { id } }, { signal }),
  });
}
