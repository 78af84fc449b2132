import type { InputOf } from '@tonerow/sdk';
import { lies } from './commands/hostile-lies.ts';

type Scope = InputOf<'createAccessToken'>['body']['scopes'][number];
type SerialState = NonNullable<NonNullable<InputOf<'listSerials'>['query']>['state']>;
type MailState = NonNullable<NonNullable<InputOf<'listMails'>['query']>['state']>;
type RefusalStatus = NonNullable<NonNullable<InputOf<'listLicenseRefusals'>['query']>['status']>;
type KeyFormat = NonNullable<NonNullable<InputOf<'getProductRsa'>['query']>['format']>;
type Audience = InputOf<'sendAnnouncement'>['body']['audience'];
type Kind = InputOf<'downloadDemoCsv'>['path']['kind'];

/** The names of a set. An object, so that the compiler finds what is missing when the contract grows. */
const namesOf = <Name extends string>(set: Record<Name, 0>) => Object.keys(set) as Name[];

const scopes = namesOf<Scope>({
  'account:read': 0,
  'account:write': 0,
  'products:read': 0,
  'products:write': 0,
  'serials:read': 0,
  'serials:write': 0,
  'keys:read': 0,
  'keys:write': 0,
  'customers:read': 0,
  'customers:write': 0,
  'analytics:read': 0,
  'resellers:read': 0,
});
const refusals = namesOf<RefusalStatus>({
  active: 0,
  deactivated: 0,
  trial: 0,
  invalid_request: 0,
  unauthorized: 0,
  revoked: 0,
  expired: 0,
  not_yet_valid: 0,
  email_mismatch: 0,
  quota_blocked: 0,
  invalid_token: 0,
  trial_expired: 0,
  not_found: 0,
  no_trial: 0,
  not_activated: 0,
  leased: 0,
  seat_limit: 0,
  churn_limit: 0,
  product_mismatch: 0,
  email_required: 0,
  rate_limited: 0,
  server_error: 0,
  unavailable: 0,
});
const kinds = ['regular', 'promo'];
const ranges = ['all', '1w', '2w', '1m'];
const formats = ['csv', 'ndjson'];

/** What options and arguments can be, by command and name, where that is a short list. For completion. */
export const VALUES: Record<string, Record<string, readonly string[]>> = {
  register: { '<role>': ['developer', 'reseller'] },
  'products rsa': { '--format': namesOf<KeyFormat>({ json: 0, juce: 0, cpp: 0, hise: 0 }) },
  'serials generate': { '--format': formats },
  'serials list': {
    '--state': namesOf<SerialState>({ available: 0, redeemed: 0, revoked: 0 }),
    '--format': formats,
  },
  'serials available': { '--range': ranges },
  'serials redeemed': { '--range': ranges },
  'serials export': { '<what>': ['redeemed', 'available'], '--range': ranges, '--kind': kinds },
  'serials group': { '--kind': kinds },
  'serials delete-group': { '--kind': kinds },
  'serials import': { '<kind>': ['available', 'redeemed'] },
  'serials demo': { '<kind>': namesOf<Kind>({ available: 0, redeemed: 0, customers: 0 }) },
  'serials seats': { '<seats>': ['product'] },
  'customers list': { '--range': ranges },
  'customers export': { '--range': ranges },
  analytics: { '--range': ['1w', '2w', '1m'] },
  'mail log': { '--state': namesOf<MailState>({ queued: 0, sent: 0, failed: 0 }) },
  'announcements send': { '--to': namesOf<NonNullable<Audience>>({ developers: 0, resellers: 0, everybody: 0 }) },
  'license hise': { '<action>': ['activate', 'validate', 'deactivate'] },
  'license proxy': { '<lie>': Object.keys(lies) },
  'license refusals': { '--status': refusals },
  'tokens create': { '--scope': scopes },
  api: { '<method>': ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
};
