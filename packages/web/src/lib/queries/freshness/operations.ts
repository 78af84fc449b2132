import type { QueryKey } from '@tanstack/react-query';
import type { OperationId } from '@tonerow/sdk';

/** A stale query: all answers of an operation, or those to one input. */
export type Stale = OperationId | readonly [OperationId, object];

/** The beginning of the keys of queries that are stale. */
export const keyOf = (stale: Stale): QueryKey => (typeof stale === 'string' ? [stale] : stale);

const some = <const Ids extends readonly OperationId[]>(...ids: Ids): Ids => ids;

/** Operations that show the same things, and become stale together. */
export const invites = some('listResellerInvites', 'listDeveloperInvites', 'listSentInvites', 'previewInvite');
export const me = some('getMe', 'getMyPlan', 'getMyUsage');
/** Figures that change with every redemption. */
export const billingUsage = some('getBillingUsage', 'getBillingGraph', 'getBillingHistory');
export const invoices = some('listInvoices', 'getInvoice');
export const billing = some(
  'getBillingConfig',
  'getPaymentMethod',
  'getSubscriptionStatus',
  ...billingUsage,
  ...invoices,
);
export const webhooks = some('listWebhooks', 'getWebhook', 'listWebhookDeliveries', 'getWebhookDelivery');

/** The state of a shop, and its latest reports. */
export const shopStates = some('listShops', 'getShop', 'listShopDeliveries');
const shopItems = some('listShopItems');
const shopOrders = some('listShopOrders', 'listShopOrderChoices', 'listOrdersOfShop', 'getShopOrder');
export const shops = some(...shopStates, ...shopItems, ...shopOrders);

export const productLists = some('listProducts', 'listProductChoices');
export const products = some(...productLists, 'getProduct', 'getProductOverview', 'listFileVersions', 'getProductRsa');

export const resellers = some('listResellers', 'getReseller', 'getResellerStock');
export const developers = some('listPartners', 'getPartner', 'getPartnerStock');
export const catalog = some(
  'listResellerProducts',
  'listResellerDeals',
  'getResellerProduct',
  'listResellerAvailableSerials',
  'listResellerRedeemedSerials',
);
export const dealRequests = some('listOwnDealRequests', 'listDealRequests', 'getDealRequest');
export const sales = some(
  'getResellerDashboard',
  'getSalesSummary',
  'getSalesGraph',
  'getSalesByDeveloper',
  'listCommissionHistory',
  'listTransactions',
  'listTransactionChoices',
  'listResellerCustomers',
);
export const draws = some('listDraws', 'getDraw');
export const selling = some('listOffers', 'listHandSales', 'getHandSale');
export const stockDownloads = some('listStockDownloads', 'listResellerDownloads');
export const payouts = some(
  'listPayouts',
  'listDeveloperPayouts',
  'getPayout',
  'getDeveloperPayout',
  'listBalances',
  'whatIfReseller',
);

export const serialDetails = some('getSerial', 'listSerialMachines', 'listSerialHistory');
export const stock = some('listAvailableSerials', 'listSerials', 'listSerialChoices');
export const batchLists = some('listBatches', 'listBatchChoices');
export const batches = some('getBatch', 'getBatchFunnel');
export const serials = some(
  ...serialDetails,
  ...stock,
  'listSerialGroup',
  ...batchLists,
  ...batches,
  // previews of a change
  'changeSerials',
  'revokeBatch',
  'deleteSerialGroup',
);
/**
 * Not among the other serials, which every redemption refreshes: when rows move under the pointer, the wrong serial gets
 * revoked.
 */
export const redeemed = some('listRedeemedSerials', 'listRedeemedChoices', 'changeRedeemedSerials');

export const customerDetails = some('getCustomer', 'listCustomerActivity');
export const customers = some(...customerDetails, 'listCustomers', 'listCustomerChoices', 'listCustomerEmails');

/** Files that were imported, and are being. */
export const imports = some('listImports', 'getImport', 'getImportProof');

export const machines = some('getMachineAnalytics', 'getVersionReport');
export const analytics = some(
  ...machines,
  'getAnalytics',
  'getAnalyticsGeo',
  'getStockReport',
  'getBatchReport',
  'getShopReport',
  'getPluginKeyReport',
  'getSparklines',
);

export const adminBilling = some('listBillingLogs', 'getBillingStory', 'listBillingDifferences');
export const admin = some('listEmails', 'listAnnouncements', ...adminBilling);
