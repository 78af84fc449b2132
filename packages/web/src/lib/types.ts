import type { api } from './api.ts';

type Client = typeof api;
// biome-ignore lint/suspicious/noExplicitAny: any function will do, only its result is used.
type Answer<K extends keyof Client> = Client[K] extends (...args: any[]) => Promise<infer R> ? R : never;

export type Product = Answer<'getProduct'>;
export type User = Answer<'login'>['user'];
export type Plan = Answer<'getMyPlan'>;
export type StoredFile = Answer<'getFile'>;
export type SerialDetail = Answer<'getSerial'>;
export type Batch = Answer<'getBatch'>;
export type CustomerPage = Answer<'listCustomers'>;
export type Customer = CustomerPage['customers'][number];
export type CustomerDetail = Answer<'getCustomer'>;
export type Analytics = Answer<'getAnalytics'>;
export type AccountSettings = Answer<'getAccountSettings'>;
export type SearchResult = Answer<'search'>;
export type RedeemedPage = Answer<'listRedeemedSerials'>;
export type RedeemedSerial = RedeemedPage['rows'][number];
export type AvailableSerials = Answer<'listAvailableSerials'>;
export type Serial = Answer<'revokeSerial'>;
type GeneratedBatch = Answer<'generateSerials'>;
export type GeneratedSerial = GeneratedBatch['serials'][number];
export type PluginKey = Answer<'listPluginKeys'>['keys'][number];
export type Session = Answer<'listSessions'>[number];
export type AccessToken = Answer<'listAccessTokens'>[number];
export type RefusalPage = Answer<'listLicenseRefusals'>;
export type Refusal = RefusalPage['rows'][number];
export type Invite = Answer<'listResellerInvites'>[number];
export type SentInvite = Answer<'listSentInvites'>['rows'][number];
export type Reseller = Answer<'listResellers'>[number];
export type ResellerProfile = Answer<'getReseller'>;
export type PartnerDeveloper = Answer<'listPartners'>[number];
export type PartnerProfile = Answer<'getPartner'>;
export type CatalogProduct = Answer<'listResellerProducts'>['rows'][number];
export type Deal = Answer<'listResellerDeals'>['rows'][number];
export type CatalogItem = Answer<'getResellerProduct'>;
export type LicenseStatus = Answer<'validateLicense'>['status'];
