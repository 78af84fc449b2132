import { useAccount } from '#lib/session/session.ts';

const developer = {
  parent: '/developer/tools',
  list: '/developer/tools/webhooks',
  one: '/developer/tools/webhooks/$id',
  delivery: '/developer/tools/webhooks/$id/$deliveryId',
} as const;

const reseller = {
  parent: null,
  list: '/reseller/webhooks',
  one: '/reseller/webhooks/$id',
  delivery: '/reseller/webhooks/$id/$deliveryId',
} as const;

/** Developers and resellers have the same screens, each among their own. */
export function useWebhookLinks(): typeof developer | typeof reseller {
  return useAccount()?.is_reseller ? reseller : developer;
}
