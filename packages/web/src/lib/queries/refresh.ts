import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { withCount } from './counted.ts';
import { keys } from './keys.ts';

/** Queries that are stale after a change made on this page. */
const STALE_AFTER = {
  emailVerified: [keys.me.all, keys.invites.all],
  viewsChanged: [keys.viewsOfAll],
  settingsSaved: [keys.me.all, keys.firstSteps],
  // every figure by day is another one
  timeZoneChanged: [keys.everything],
  passwordChanged: [keys.sessions, keys.accessTokens],
  accessTokenCreated: [keys.accessTokens],
  planSwitched: [keys.me.all, keys.billing.usage, keys.billing.status],
  cardChanged: [keys.billing.card, keys.billing.status],
  paymentConfirmed: [keys.billing.status, keys.billing.invoices],
  twoFactorChanged: [keys.twoFactor],
  brandingSaved: [keys.settings, keys.me.all, keys.brandingEmails, keys.firstSteps],
  domainChanged: [keys.branding, keys.brandingEmails],

  productCreated: [keys.products.all, keys.firstSteps],
  productSaved: [keys.products.lists, keys.products.overviews, keys.products.allVersions, keys.firstSteps],
  fileVersionsChanged: [keys.products.all],
  productDeleted: [keys.products.all, keys.firstSteps],
  pluginKeysChanged: [keys.pluginKeys, keys.firstSteps],
  webhooksChanged: [keys.webhooks.all],

  serialsGenerated: [
    keys.firstSteps,
    keys.serials.all,
    keys.products.all,
    keys.resellers.all,
    keys.circulation.all,
    keys.dealRequests.all,
  ],
  serialsImported: [
    keys.firstSteps,
    keys.serials.all,
    keys.redeemed.all,
    keys.products.all,
    keys.customers.all,
    keys.analytics.all,
  ],
  batchRevoked: [
    keys.serials.all,
    keys.redeemed.all,
    keys.products.all,
    keys.customers.all,
    keys.analytics.all,
    keys.circulation.all,
  ],
  // not the group itself, which is gone
  groupDeleted: [keys.serials.available, keys.serials.batchLists, keys.products.all],
  // the redeemed list is updated in place by serial-cache.ts
  serialsChanged: [
    keys.serials.ones,
    keys.serials.available,
    keys.serials.groups,
    keys.serials.batchLists,
    keys.serials.batches,
    keys.products.all,
    keys.customers.all,
    keys.circulation.all,
    keys.redeemed.allChoices,
  ],
  serialsChangeFailed: [keys.redeemed.all],
  serialRefunded: [
    keys.serials.ones,
    keys.serials.available,
    keys.serials.groups,
    keys.serials.batchLists,
    keys.serials.batches,
    keys.products.all,
    keys.redeemed.all,
    keys.analytics.all,
    keys.customers.all,
    keys.resellers.all,
    keys.circulation.all,
    keys.payouts.all,
  ],
  redeemedAskedFor: [keys.redeemed.all],
  refreshCharged: [keys.me.all, keys.billing.usage, keys.billing.status],
  serialEmailed: [keys.serials.ones, keys.customers.ones],
  serialTransferred: [keys.serials.ones, keys.customers.all, keys.redeemed.all],
  batchChanged: [keys.serials.all, keys.products.all, keys.circulation.all],
  seatsChanged: [keys.serials.ones, keys.customers.ones],
  machineReleased: [keys.serials.ones, keys.customers.all, keys.analytics.machinesOfAll],

  customersImported: [keys.customers.all],
  customerChanged: [keys.customers.all, keys.serials.ones, keys.redeemed.all],
  customerErased: [keys.customers.all, keys.serials.all],

  payoutChanged: [keys.payouts.all],
  resellerChanged: [keys.resellers.all],
  resellersMerged: [keys.resellers.all, keys.circulation.all, keys.payouts.all, keys.analytics.all, keys.serials.all],
  dealRequestsChanged: [keys.dealRequests.all],
  drawReturned: [keys.draws.all, keys.catalog.all, keys.selling.all],
  sold: [keys.selling.all, keys.draws.all, keys.catalog.all, keys.sales.dashboard],
  saleEmailed: [keys.selling.all],

  invitesChanged: [keys.invites.all, keys.resellers.all, keys.partners.all, keys.catalog.all, keys.sales.dashboard],

  noticesRead: [keys.notifications.all],
  announcementSent: [keys.admin.all],
  billingDecided: [keys.admin.billing],
} as const satisfies Record<string, readonly QueryKey[]>;

export type Change = keyof typeof STALE_AFTER;

/** Refetches what a change made stale and is on screen. Resolves when that has arrived. */
export async function refreshAfter(queryClient: QueryClient, change: Change): Promise<void> {
  await Promise.all(withCount(STALE_AFTER[change]).map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
