import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Period } from '../time/period.ts';
import { q } from './operation.ts';

/** Whether cards can be entered on this server. It changes only with the server. */
export const billingConfigQuery = queryOptions({
  ...q('getBillingConfig'),
  staleTime: 600_000,
});

export const paymentMethodQuery = q('getPaymentMethod');

/** The account's state: what was charged, what is owed, what comes next. */
export const subscriptionStatusQuery = q('getSubscriptionStatus');

/**
 * The secret of a card to be entered. It works once, so it is never taken from the cache; and nothing but the screen itself
 * asks for another one, because a form that somebody is filling in goes with it.
 */
export const cardSetupQuery = queryOptions({
  ...q('createSetupIntent'),
  staleTime: 'static',
  gcTime: 0,
});

/** The running month (UTC), refreshed by live events. */
export const currentUsageQuery = q('getBillingUsage');

/** A period of days in UTC. */
export const inPeriod = ({ from, to }: Period) => ({ startDate: from, endDate: to });

export const billingPeriodQuery = (period: Period) =>
  queryOptions({
    ...q('getBillingGraph', { query: inPeriod(period) }),
    placeholderData: keepPreviousData,
  });

/** Every month that has something to bill, the latest one first. */
export const billingHistoryQuery = q('getBillingHistory');

/** One invoice with its lines. */
export const invoiceQuery = (id: string) => q('getInvoice', { path: { id } });
