import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import type { Period } from '../time/period.ts';
import type { InvoiceState } from '../types.ts';
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

/**
 * The secret of a card to be entered. It works once, so it is never taken from the cache; and nothing but the screen itself
 * asks for another one, because a form that somebody is filling in goes with it.
 */
export const cardSetupQuery = queryOptions({
  queryKey: keys.billing.cardSetup,
  queryFn: ({ signal }) => api.createSetupIntent({}, { signal }),
  staleTime: 'static',
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
    queryFn: ({ signal }) => api.getBillingGraph({ query: inPeriod(period) }, { signal }),
    placeholderData: keepPreviousData,
  });

/** Every month that has something to bill, the latest one first. */
export const billingHistoryQuery = queryOptions({
  queryKey: keys.billing.history,
  queryFn: ({ signal }) => api.getBillingHistory({}, { signal }),
});

export interface InvoiceFilter {
  state?: InvoiceState | undefined;
  year?: number | undefined;
}

/** The invoices page by page, the newest month first. */
export const invoicesQuery = (filter: InvoiceFilter) =>
  infiniteQueryOptions({
    queryKey: keys.billing.invoiceList(filter),
    queryFn: ({ pageParam, signal }) =>
      api.listInvoices({ query: { ...filter, limit: 24, ...(pageParam ? { cursor: pageParam } : {}) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });

/** One invoice with its lines. */
export const invoiceQuery = (id: string) =>
  queryOptions({
    queryKey: keys.billing.invoice(id),
    queryFn: ({ signal }) => api.getInvoice({ path: { id } }, { signal }),
  });
