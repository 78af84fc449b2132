import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { getUser } from '../session/session.ts';
import { plusDays, todayIn } from '../time/period.ts';
import { pages, q } from './operation.ts';

export const dashboardQuery = q('getResellerDashboard');

/** The last days up to today, in the account's time zone. */
function lastDays(days: number) {
  const endDate = todayIn(getUser()?.time_zone ?? 'UTC');
  return { startDate: plusDays(endDate, 1 - days), endDate };
}

export const summaryQuery = (days: number) =>
  queryOptions({
    ...q('getSalesSummary', { query: lastDays(days) }),
    placeholderData: keepPreviousData,
  });

export const graphQuery = (days: number) =>
  queryOptions({
    ...q('getSalesGraph', { query: lastDays(days) }),
    placeholderData: keepPreviousData,
  });

export const byDeveloperQuery = (days: number) =>
  queryOptions({
    ...q('getSalesByDeveloper', { query: lastDays(days) }),
    placeholderData: keepPreviousData,
  });

export const historyQuery = pages('listCommissionHistory', { query: { limit: 25 } });

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
    ...q('listTransactions', { query: { ...transactionFilterOf(filter), page } }),
    placeholderData: keepPreviousData,
  });

export const salesCustomersQuery = (filter: SalesFilter, page: number) =>
  queryOptions({
    ...q('listResellerCustomers', { query: { ...salesFilterOf(filter), page } }),
    placeholderData: keepPreviousData,
  });
