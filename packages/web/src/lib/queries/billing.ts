import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import type { Period } from '../period.ts';
import { keys } from './keys.ts';

/** Whether cards can be entered on this server. It changes only with the server. */
export const billingConfigQuery = queryOptions({
  queryKey: keys.billing.config,
  queryFn: ({ signal }) => api.getBillingConfig(undefined, { signal }),
  staleTime: 600_000,
});

export const paymentMethodQuery = queryOptions({
  queryKey: keys.billing.card,
  queryFn: ({ signal }) => api.getPaymentMethod(undefined, { signal }),
});

/** How the account stands: what was charged, what is owed, what comes next. */
export const subscriptionStatusQuery = queryOptions({
  queryKey: keys.billing.status,
  queryFn: ({ signal }) => api.getSubscriptionStatus(undefined, { signal }),
});

/** The secret of a card to be entered. It works once, so it is never taken from the cache. */
export const cardSetupQuery = queryOptions({
  queryKey: keys.billing.cardSetup,
  queryFn: ({ signal }) => api.createSetupIntent({}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
});

/** The running month (UTC), refreshed by live events. */
export const currentUsageQuery = queryOptions({
  queryKey: keys.billing.current,
  queryFn: ({ signal }) => api.getBillingUsage(undefined, { signal }),
});

/** A period of days in UTC. */
export const inPeriod = ({ from, to }: Period) => ({ startDate: from, endDate: to });

export const billingPeriodQuery = (period: Period) =>
  queryOptions({
    queryKey: keys.billing.period(period.from, period.to),
    queryFn: async ({ signal }) => {
      const query = inPeriod(period);
      const [summary, days] = await Promise.all([
        api.getBillingSummary({ query }, { signal }),
        api.getBillingGraph({ query }, { signal }),
      ]);
      return { summary, days };
    },
    placeholderData: keepPreviousData,
  });

/** Every month that has something to bill, the latest one first. */
export const billingHistoryQuery = queryOptions({
  queryKey: keys.billing.history,
  queryFn: ({ signal }) => api.getBillingHistory({}, { signal }),
});
