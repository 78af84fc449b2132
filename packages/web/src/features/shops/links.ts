import { useAccount } from '#lib/session/session.ts';

const developer = {
  parent: '/developer/tools',
  list: '/developer/tools/shops',
  create: '/developer/tools/shops/new',
  one: '/developer/tools/shops/$id',
  orders: '/dashboard/orders',
  order: '/dashboard/orders/$id',
} as const;

const reseller = {
  parent: null,
  list: '/reseller/shops',
  create: '/reseller/shops/new',
  one: '/reseller/shops/$id',
  orders: '/reseller/orders',
  order: '/reseller/orders/$id',
} as const;

/** Developers and resellers have the same screens, each among their own. */
export function useShopLinks(): typeof developer | typeof reseller {
  return useAccount()?.is_reseller ? reseller : developer;
}
