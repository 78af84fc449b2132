import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { q } from '#lib/queries/operation.ts';
import type { BillingLogRow, BillingStory } from '#lib/types.ts';

export interface LogFilter {
  search: string | undefined;
  status: BillingLogRow['status'] | undefined;
  action: BillingLogRow['action'] | undefined;
  /** `YYYY-MM` */
  month: string | undefined;
  /** The developer's id. */
  user: string | undefined;
}
export const everyEntry: LogFilter = {
  search: undefined,
  status: undefined,
  action: undefined,
  month: undefined,
  user: undefined,
};

/** The filter as the call has it. */
export const inLogs = ({ user: account, ...filter }: LogFilter) => ({ ...filter, user_id: account });

export const logsQuery = (filter: LogFilter, page: number) =>
  queryOptions({
    ...q('listBillingLogs', { query: { ...inLogs(filter), page } }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

export const differencesQuery = (page: number) =>
  queryOptions({
    ...q('listBillingDifferences', { query: { page } }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

/** Whether the server is about to work on it, or does. */
const isDue = ({ statement: { state, next_attempt_at } }: BillingStory) =>
  (state === 'rated' || state === 'invoiced' || state === 'open') &&
  next_attempt_at !== null &&
  Date.parse(next_attempt_at) <= Date.now();

export const storyQuery = (id: string) =>
  queryOptions({
    ...q('getBillingStory', { path: { id } }),
    refetchOnMount: 'always',
    // live events go to the developer; what is being charged changes within seconds
    refetchInterval: ({ state: { data } }) => (data && isDue(data) ? 3000 : false),
  });
