import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { getAccount } from '../session/session.ts';
import { plusDays, todayIn } from '../time/period.ts';
import { q } from './operation.ts';

export const dashboardQuery = q('getResellerDashboard');

/** The last days up to today, in the account's time zone. */
function lastDays(days: number) {
  const endDate = todayIn(getAccount()?.time_zone ?? 'UTC');
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
