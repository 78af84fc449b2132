import { queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
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

/** The secret of a card to be entered. It works once, so it is never taken from the cache. */
export const cardSetupQuery = queryOptions({
  queryKey: keys.billing.cardSetup,
  queryFn: ({ signal }) => api.createSetupIntent({}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
});
