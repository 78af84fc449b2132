import type { LicenseAnswer, LicenseStatus } from '../rules/license-status.ts';

/** How the systems that we replace answer, as they have published it. What is personal is left empty. */

/** Refusals that mean nothing for a license: a plugin must not lock because of one. */
export const isNoAnswer = (status: LicenseStatus): boolean =>
  status === 'rate_limited' || status === 'server_error' || status === 'unavailable' || status === 'unauthorized';

/** The seats that a license has given. */
export const used = ({ max_activations = 0, remaining = 0 }: LicenseAnswer) => max_activations - remaining;

/** License Manager for WooCommerce: a license that is in use is 3, one that was only delivered 2. */
export function wooData(code: string, answer: LicenseAnswer) {
  const { max_activations = 0, remaining = 0 } = answer;
  return {
    id: null,
    orderId: null,
    productId: null,
    userId: null,
    licenseKey: code,
    expiresAt: null,
    validFor: null,
    source: 1,
    status: used(answer) > 0 ? 3 : 2,
    timesActivated: used(answer),
    timesActivatedMax: max_activations,
    remainingActivations: remaining,
    createdAt: null,
    createdBy: null,
    updatedAt: null,
    updatedBy: null,
  };
}

/** As WordPress writes a moment, which is UTC here. */
const stamp = (at: Date) => at.toISOString().slice(0, 19).replace('T', ' ');

/** One activation, known by its token. Where its machine is, and what it runs on, is nobody’s business. */
export const wooActivation = (token: string, { label = null as string | null, ended = null as Date | null } = {}) => ({
  id: null,
  license_id: null,
  token,
  label,
  source: 2,
  ip_address: null,
  user_agent: null,
  meta_data: null,
  created_at: null,
  updated_at: null,
  deactivated_at: ended && stamp(ended),
});

/** Plugins take `lmfwc_rest_data_error` for an invalid license: what is no answer about one has WordPress's codes. */
const wooNoAnswers: Partial<Record<LicenseStatus, string>> = {
  unauthorized: 'lmfwc_rest_cannot_view',
  rate_limited: 'too_many_requests',
  server_error: 'internal_server_error',
  unavailable: 'service_unavailable',
};

/** Versions 2 read the code, versions 3 what is in the data: both find theirs. */
export function wooError(message: string, status: LicenseStatus, http: number) {
  const noAnswer = wooNoAnswers[status];
  if (noAnswer) return { code: noAnswer, message, data: { status: http } };
  const code = status === 'expired' ? 'lmfwc_rest_license_expired' : 'lmfwc_rest_data_error';
  return {
    code,
    message,
    data: { status: http, errors: { [code]: [message] }, error_data: { [code]: { status: http } } },
  };
}

/** Plugins compare the HTTP status with that of a license that is not found, whatever is wrong with it. */
export function wooHttp(status: LicenseStatus, http: number): number {
  if (isNoAnswer(status)) return http;
  return status === 'expired' ? 405 : 404;
}

const eddErrors: Partial<Record<LicenseStatus, string>> = {
  not_found: 'missing',
  // a code that is empty or too long for one
  invalid_request: 'missing',
  revoked: 'disabled',
  expired: 'expired',
  seat_limit: 'no_activations_left',
  churn_limit: 'no_activations_left',
  leased: 'no_activations_left',
  product_mismatch: 'item_name_mismatch',
};

const eddFacts = (item: string, answer?: LicenseAnswer) => ({
  item_id: false,
  item_name: item,
  ...(answer
    ? {
        license_limit: answer.max_activations ?? 0,
        site_count: used(answer),
        expires: 'lifetime',
        activations_left: answer.remaining ?? 0,
      }
    : {}),
  customer_name: '',
  customer_email: '',
});

/** EDD: a license is `valid` on the site that asks. */
export const eddValid = (item: string, answer: LicenseAnswer) => ({
  success: true,
  license: 'valid',
  ...eddFacts(item, answer),
});

/** @param answer how the license is, when it exists: plugins show its end and how many sites it has. */
export function eddRefused(item: string, status: LicenseStatus | 'missing_url', answer?: LicenseAnswer) {
  // a state that EDD has no word for is reported as a license that cannot be activated
  const error = status === 'missing_url' ? status : (eddErrors[status] ?? 'license_not_activable');
  const max_sites = answer && error === 'no_activations_left' ? { max_sites: used(answer) } : {};
  return { success: false, license: 'invalid', error, ...max_sites, ...eddFacts(item, answer) };
}

const eddStates: Partial<Record<LicenseStatus, string>> = {
  revoked: 'disabled',
  expired: 'expired',
  product_mismatch: 'item_name_mismatch',
  not_activated: 'site_inactive',
};

/** What `check_license` answers for a license that is not valid here. */
export function eddState(item: string, state: LicenseStatus, answer?: LicenseAnswer) {
  const isUnused = state === 'not_activated' && answer !== undefined && used(answer) === 0;
  const license = isUnused ? 'inactive' : (eddStates[state] ?? 'invalid');
  return { success: license !== 'invalid', license, ...eddFacts(item, answer) };
}

export const eddDeactivated = (item: string, answer: LicenseAnswer | null) => ({
  success: answer !== null,
  license: answer ? 'deactivated' : 'failed',
  ...eddFacts(item, answer ?? undefined),
});

/** The codes of Software License Manager. */
const slmCodes: Partial<Record<LicenseStatus, number>> = {
  revoked: 20,
  expired: 30,
  seat_limit: 50,
  churn_limit: 50,
  not_activated: 80,
  unauthorized: 90,
};

/** Some plugins compare its words, and others show them. */
const slmWords: Partial<Record<LicenseStatus, string>> = {
  not_found: 'Invalid license key',
  revoked: 'Your License key is blocked',
  expired: 'Your License key has expired',
  seat_limit: 'Reached maximum allowable domains',
  not_activated: 'The license key on this domain is already inactive',
  unauthorized: 'Verification API secret key is invalid',
};

/** Plugins read the code and not the HTTP status, and 60 is an invalid license: what is no answer about one has none. */
export function slmError(ours: string, status: LicenseStatus) {
  const message = slmWords[status] ?? ours;
  const error_code = slmCodes[status] ?? (isNoAnswer(status) ? undefined : 60);
  return { result: 'error', message, ...(error_code === undefined ? {} : { error_code }) };
}

/** The answer to an activation or a deactivation that names no domain. */
export const slmNoDomain = () => ({
  result: 'error',
  message: 'Registered domain information is missing',
  error_code: 70,
});

export const slmDone = (message: string) => ({ result: 'success', message });

interface SlmLicense {
  status: string;
  now: Date;
  answer: LicenseAnswer | undefined;
  /** The one that asks, when it has its seat: those of others are not its business. */
  domain?: string | undefined;
}

export const slmDetails = (code: string, { status, now, answer, domain }: SlmLicense) => ({
  result: 'success',
  message: 'License key details retrieved.',
  license_key: code,
  status,
  max_allowed_domains: String(answer?.max_activations ?? 0),
  date_created: '',
  date_renewed: '',
  date_expiry: '0000-00-00',
  date: now.toISOString().slice(0, 10),
  product_ref: '',
  first_name: '',
  last_name: '',
  company_name: '',
  email: '',
  txn_id: '',
  subscr_id: '',
  registered_domains:
    domain === undefined
      ? []
      : [{ id: '', lic_key_id: '', lic_key: code, registered_domain: domain, item_reference: '' }],
});
