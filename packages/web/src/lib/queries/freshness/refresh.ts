import type { QueryClient } from '@tanstack/react-query';
import { withCount } from './counted.ts';
import {
  admin,
  adminBilling,
  analytics,
  batches,
  batchLists,
  billingUsage,
  catalog,
  customerDetails,
  customers,
  dealRequests,
  developers,
  draws,
  imports,
  invites,
  invoices,
  keyOf,
  machines,
  me,
  payouts,
  productLists,
  products,
  redeemed,
  resellers,
  type Stale,
  selling,
  serialDetails,
  serials,
  shopStates,
  shops,
  stock,
  webhooks,
} from './operations.ts';
import { refreshAll } from './refresh-all.ts';

/** Queries that are stale after a change made on this page. */
const STALE_AFTER = {
  emailVerified: [...me, ...invites],
  viewsChanged: ['listViews'],
  settingsSaved: [...me, 'getFirstSteps'],
  // every figure by day is another one
  timeZoneChanged: 'everything',
  passwordChanged: ['listSessions', 'listAccessTokens', 'listTrusts'],
  terminalAnswered: ['listSessions'],
  archivesChanged: ['listAccountArchives'],
  accessTokenCreated: ['listAccessTokens'],
  // a change ends the tokens that it issued
  trustsChanged: ['listTrusts', 'listAccessTokens'],
  planSwitched: [...me, ...billingUsage, 'getSubscriptionStatus'],
  cardChanged: ['getPaymentMethod', 'getSubscriptionStatus'],
  paymentConfirmed: ['getSubscriptionStatus', ...invoices],
  twoFactorChanged: ['getTwoFactor'],
  brandingSaved: ['getAccountSettings', ...me, 'previewCustomerEmail', 'getFirstSteps'],
  domainChanged: ['getPrivateBranding', 'previewCustomerEmail'],

  productCreated: [...products, 'getFirstSteps'],
  productSaved: [...productLists, 'getProductOverview', 'listFileVersions', 'getFirstSteps'],
  fileVersionsChanged: [...products],
  productDeleted: [...products, 'getFirstSteps'],
  unlockChanged: ['getProductUnlock'],
  pluginKeysChanged: ['listPluginKeys', 'getFirstSteps'],
  webhooksChanged: [...webhooks],
  shopChanged: [...shopStates],
  // orders that waited for a mapping are delivered now
  shopMapped: [...shops],
  shopOrderChanged: [...shops, ...serialDetails],

  serialsGenerated: ['getFirstSteps', ...serials, ...products, ...resellers, 'getResellerCirculation', ...dealRequests],
  serialsImported: ['getFirstSteps', ...serials, ...redeemed, ...products, ...customers, ...analytics, ...imports],
  batchRevoked: [...serials, ...redeemed, ...products, ...customers, ...analytics, 'getResellerCirculation'],
  // not the group itself, which is gone
  groupDeleted: [...stock, ...batchLists, ...products],
  // the redeemed list is updated in place by serial-cache.ts
  serialsChanged: [
    ...serialDetails,
    ...stock,
    'listSerialGroup',
    ...batchLists,
    ...batches,
    ...products,
    ...customers,
    'getResellerCirculation',
    'listRedeemedChoices',
  ],
  serialsChangeFailed: [...redeemed],
  serialRefunded: [
    ...serialDetails,
    ...stock,
    'listSerialGroup',
    ...batchLists,
    ...batches,
    ...products,
    ...redeemed,
    ...analytics,
    ...customers,
    ...resellers,
    'getResellerCirculation',
    ...payouts,
  ],
  redeemedAskedFor: [...redeemed],
  refreshCharged: [...me, ...billingUsage, 'getSubscriptionStatus'],
  serialEmailed: [...serialDetails, ...customerDetails],
  serialTransferred: [...serialDetails, ...customers, ...redeemed],
  batchChanged: [...serials, ...products, 'getResellerCirculation'],
  seatsChanged: [...serialDetails, ...customerDetails],
  machineReleased: [...serialDetails, ...customers, ...machines],

  importChanged: [...imports],
  customersImported: [...customers, ...imports],
  customerChanged: [...customers, ...serialDetails, ...redeemed],
  customerErased: [...customers, ...serials],

  payoutChanged: [...payouts],
  resellerChanged: [...resellers],
  resellersMerged: [...resellers, 'getResellerCirculation', ...payouts, ...analytics, ...serials],
  dealRequestsChanged: [...dealRequests],
  drawReturned: [...draws, ...catalog, ...selling],
  sold: [...selling, ...draws, ...catalog, 'getResellerDashboard'],
  saleEmailed: [...selling],

  invitesChanged: [...invites, ...resellers, ...developers, ...catalog, 'getResellerDashboard'],

  noticesRead: ['listNotifications'],
  announcementSent: [...admin],
  billingDecided: [...adminBilling],
} as const satisfies Record<string, readonly Stale[] | 'everything'>;

export type Change = keyof typeof STALE_AFTER;

/** Refetches what a change made stale and is on screen. Resolves when that has arrived. */
export async function refreshAfter(queryClient: QueryClient, change: Change): Promise<void> {
  const stale: readonly Stale[] | 'everything' = STALE_AFTER[change];
  if (stale === 'everything') return refreshAll(queryClient);
  await Promise.all(withCount(stale).map((each) => queryClient.invalidateQueries({ queryKey: keyOf(each) })));
}
