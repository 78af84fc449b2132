import type { AnswerOf as Answer } from '@tonerow/sdk';

export type Product = Answer<'getProduct'>;
export type ProductOverview = Answer<'getProductOverview'>;
export type User = Answer<'login'>['user'];
export type Plan = Answer<'getMyPlan'>;
export type PlanSwitch = Answer<'subscribe'>;
export type SubscriptionStatus = Answer<'getSubscriptionStatus'>;
export type BillingUsage = Answer<'getBillingUsage'>;
export type BillingDay = Answer<'getBillingGraph'>[number];
export type BillingMonth = Answer<'getBillingHistory'>[number];
export type Invoice = Answer<'getInvoice'>;
export type InvoiceSummary = Answer<'listInvoices'>['rows'][number];
export type InvoiceState = InvoiceSummary['state'];
export type PaidBy = NonNullable<InvoiceSummary['paid_by']>;
export const invoiceStates: readonly InvoiceState[] = [
  'rated',
  'invoiced',
  'open',
  'paid',
  'failed',
  'uncollectible',
  'void',
  'settled',
  'local',
];
export type BillingLogRow = Answer<'listBillingLogs'>['logs'][number];
export type BillingStory = Answer<'getBillingStory'>;
export type BillingDifferencePage = Answer<'listBillingDifferences'>;
export type BillingDifference = BillingDifferencePage['differences'][number];
export type FileVersion = Answer<'listFileVersions'>[number];
export type StoredFile = Answer<'getFile'>;
export type FirstSteps = Answer<'getFirstSteps'>;
export type SerialDetail = Answer<'getSerial'>;
export type Batch = Answer<'getBatch'>;
export type BatchStage = Answer<'getBatchFunnel'>['stages'][number];
export type KeptNotice = Answer<'listNotifications'>['rows'][number];
export type NoticeCount = Pick<Answer<'listNotifications'>, 'pending' | 'unread'>;
export type AuditEntry = Answer<'listAuditLog'>['rows'][number];
export type ApiRequest = Answer<'listApiRequests'>['rows'][number];
export type AuditAction = AuditEntry['action'];
export type CustomerEmail = Answer<'listCustomerEmails'>['rows'][number];
export type CustomerPage = Answer<'listCustomers'>;
export type Customer = CustomerPage['customers'][number];
export type CustomerDetail = Answer<'getCustomer'>;
export type Analytics = Answer<'getAnalytics'>;
export type VersionReport = Answer<'getVersionReport'>;
export type StockReport = Answer<'getStockReport'>;
export type BatchConversion = Answer<'getBatchReport'>['rows'][number];
export type PluginKeyReport = Answer<'getPluginKeyReport'>;
export type MachineAnalytics = Answer<'getMachineAnalytics'>;
export type AccountSettings = Answer<'getAccountSettings'>;
export type View = Answer<'listViews'>['views'][number];
export type SearchResult = Answer<'search'>;
export type RedeemedPage = Answer<'listRedeemedSerials'>;
export type RedeemedSerial = RedeemedPage['rows'][number];
export type AvailableSerials = Answer<'listAvailableSerials'>;
export type Serial = Answer<'revokeSerial'>;
type GeneratedBatch = Answer<'generateSerials'>;
export type GeneratedSerial = GeneratedBatch['serials'][number];
export type Webhook = Answer<'getWebhook'>;
export type WebhookDelivery = Answer<'listWebhookDeliveries'>['rows'][number];
export type WebhookDeliveryDetail = Answer<'getWebhookDelivery'>;
export type WebhookAttempt = WebhookDeliveryDetail['history'][number];
export type PluginKey = Answer<'listPluginKeys'>['keys'][number];
export type Session = Answer<'listSessions'>[number];
export type AccessToken = Answer<'listAccessTokens'>[number];
export type RefusalPage = Answer<'listLicenseRefusals'>;
export type Refusal = RefusalPage['rows'][number];
export type Invite = Answer<'listResellerInvites'>[number];
export type InvitePreview = Answer<'previewInvite'>;
export type SentInvite = Answer<'listSentInvites'>['rows'][number];
export type Reseller = Answer<'listResellers'>[number];
export type ResellerProfile = Answer<'getReseller'>;
export type PartnerDeveloper = Answer<'listPartners'>[number];
export type PartnerProfile = Answer<'getPartner'>;
export type PartnerStock = Answer<'getPartnerStock'>[number];
export type CatalogProduct = Answer<'listResellerProducts'>['rows'][number];
export type Deal = Answer<'listResellerDeals'>['rows'][number];
export type DealRequest = Answer<'getDealRequest'>;
export type Draw = Answer<'getDraw'>;
export type Offer = Answer<'listOffers'>['rows'][number];
export type HandSale = Answer<'getHandSale'>;
export type HandSaleRow = Answer<'listHandSales'>['rows'][number];
export type StockFile = Answer<'listStockDownloads'>['rows'][number];
export type Circulation = Answer<'getResellerCirculation'>;
export type CatalogItem = Answer<'getResellerProduct'>;
export type SalesDashboard = Answer<'getResellerDashboard'>;
export type SalesSummary = Answer<'getSalesSummary'>;
export type SalesDays = Answer<'getSalesGraph'>;
export type SalesByDeveloper = Answer<'getSalesByDeveloper'>;
export type CommissionMonth = Answer<'listCommissionHistory'>[number];
export type Transaction = Answer<'listTransactions'>['rows'][number];
export type ResellerCustomer = Answer<'listResellerCustomers'>['rows'][number];
export type LicenseStatus = Answer<'validateLicense'>['status'];

export type PayoutDetail = Answer<'getPayout'>;
export type PayoutSummary = Answer<'listPayouts'>['rows'][number];
export type PayoutStatus = PayoutSummary['status'];
export const payoutStatuses: readonly PayoutStatus[] = ['pending', 'confirmed', 'disputed', 'paid', 'settled'];
export type WhatIf = Answer<'whatIfReseller'>;
export type Balance = Answer<'listBalances'>['rows'][number];
