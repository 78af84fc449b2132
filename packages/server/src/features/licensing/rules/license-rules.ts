import type { LicenseStatus } from './license-status.ts';

/** A licence as the rules see it. */
export interface LicenseFacts {
  product_id: string;
  product_deleted: boolean;
  developer_deleted: boolean;
  is_draft: boolean;
  revoked_at: Date | null;
  redeemed_at: Date | null;
  promo_start: Date | null;
  expires_at: Date | null;
  owner_email_key: string | null;
}

/** What the plugin asked with. */
export interface LicenseQuestion {
  now: Date;
  productId: string | null;
  /** Lower case, or null when none was sent. */
  emailKey: string | null;
}

interface Rule {
  status: LicenseStatus;
  fails(license: LicenseFacts, question: LicenseQuestion): boolean;
}

/**
 * In order: the first rule that fails names the status. The window of a serial (`promo_start`, `expires_at`) bounds its
 * first redemption; who has redeemed it keeps it,
 * whatever becomes of the developer.
 */
const rules: readonly Rule[] = [
  { status: 'revoked', fails: (license) => license.revoked_at !== null || license.product_deleted },
  {
    status: 'product_mismatch',
    fails: (license, { productId }) => productId !== null && productId.toLowerCase() !== license.product_id,
  },
  { status: 'expired', fails: isOrphan },
  { status: 'not_found', fails: (license) => license.redeemed_at === null && license.is_draft },
  {
    status: 'not_yet_valid',
    fails: (license, { now }) =>
      license.redeemed_at === null && license.promo_start !== null && license.promo_start > now,
  },
  {
    status: 'expired',
    fails: (license, { now }) =>
      license.redeemed_at === null && license.expires_at !== null && license.expires_at <= now,
  },
  {
    status: 'email_mismatch',
    fails: (license, { emailKey }) =>
      license.redeemed_at !== null && emailKey !== null && emailKey !== license.owner_email_key,
  },
];

/** Nobody has redeemed it, and its developer has deleted their account. */
export function isOrphan(license: Pick<LicenseFacts, 'developer_deleted' | 'redeemed_at'>): boolean {
  return license.developer_deleted && license.redeemed_at === null;
}

/** The status of the first rule that says no, or null when all agree. */
export function firstRefusal(license: LicenseFacts, question: LicenseQuestion): LicenseStatus | null {
  return rules.find((rule) => rule.fails(license, question))?.status ?? null;
}
