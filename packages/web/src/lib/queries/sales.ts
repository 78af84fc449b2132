import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { getUser } from '../session/session.ts';
import { plusDays, todayIn } from '../time/period.ts';
import { keys } from './keys.ts';

export const dashboardQuery = queryOptions({
  queryKey: keys.sales.dashboard,
  queryFn: ({ signal }) => api.getResellerDashboard({}, { signal }),
});

/** The last days up to today, in the account's time zone. */
function lastDays(days: number) {
  const endDate = todayIn(getUser()?.time_zone ?? 'UTC');
  return { startDate: plusDays(endDate, 1 - days), endDate };
}

export const summaryQuery = (days: number) =>
  queryOptions({
    queryKey: keys.sales.summary(days),
    queryFn: ({ signal }) => api.getSalesSummary({ query: lastDays(days) }, { signal }),
    placeholderData: keepPreviousData,
  });

export const graphQuery = (days: number) =>
  queryOptions({
    queryKey: keys.sales.graph(days),
    queryFn: ({ signal }) => api.getSalesGraph({ query: lastDays(days) }, { signal }),
    placeholderData: keepPreviousData,
  });

export const byDeveloperQuery = (days: number) =>
  queryOptions({
    queryKey: keys.sales.byDeveloper(days),
    queryFn: ({ signal }) => api.getSalesByDeveloper({ query: lastDays(days) }, { signal }),
    placeholderData: keepPreviousData,
  });

export const historyQuery = infiniteQueryOptions({
  queryKey: keys.sales.history,
  queryFn: async ({ pageParam, signal }) => {
    const query = { limit: 25, ...(pageParam ? { cursor: pageParam } : {}) };
    const { data, response } = await api.withResponse.listCommissionHistory({ query }, { signal });
    return {
      rows: data,
      total: Number(response.headers.get('x-total-count') ?? data.length),
      next: response.headers.get('x-next-cursor'),
    };
  },
  initialPageParam: '',
  getNextPageParam: (page) => page.next,
});

interface SalesFilter {
  search: string;
  /** `all`, `1w`, `2w`, `1m` or `YYYY-MM-DD_to_YYYY-MM-DD`. */
  dateRange: string;
}

/** A filter without what is not set. */
export const salesFilterOf = ({ search, dateRange }: SalesFilter) => ({ dateRange, ...(search ? { search } : {}) });

/** What is chosen of each filter, as in the URL: `a,b`, or `-a` for all but it. */
export interface TransactionFilter extends SalesFilter {
  product?: string | undefined;
  developer?: string | undefined;
  kind?: string | undefined;
}

/** As the server takes it. */
export const transactionFilterOf = ({ product, developer, kind, ...days }: TransactionFilter) => ({
  ...salesFilterOf(days),
  ...(product ? { product } : {}),
  ...(developer ? { developer } : {}),
  ...(kind ? { kind } : {}),
});

export const transactionsQuery = (filter: TransactionFilter, page: number) =>
  queryOptions({
    queryKey: keys.sales.transactions(filter, page),
    queryFn: ({ signal }) => api.listTransactions({ query: { ...transactionFilterOf(filter), page } }, { signal }),
    placeholderData: keepPreviousData,
  });

export const salesCustomersQuery = (filter: SalesFilter, page: number) =>
  queryOptions({
    queryKey: keys.sales.customers(filter, page),
    queryFn: ({ signal }) => api.listResellerCustomers({ query: { ...salesFilterOf(filter), page } }, { signal }),
    placeholderData: keepPreviousData,
  });
