import { AppError, type ErrorCode } from '../../platform/errors.ts';

/** What the rules look at. Moments are compared with `now`. */
export interface Candidate {
  revoked_at: Date | null;
  redeemed_at: Date | null;
  promo_start: Date | null;
  expires_at: Date | null;
  is_draft: boolean;
  product_deleted: boolean;
  /** The developer has deleted their account. What was redeemed before stays its owner's. */
  developer_deleted: boolean;
}

interface Rule {
  code: ErrorCode;
  message: string;
  fails(serial: Candidate, now: Date): boolean;
}

/** In order: the first rule that fails names the answer. Date rules hold for the first redemption only. */
const rules: readonly Rule[] = [
  {
    code: 'serial_revoked',
    message: 'This license has been suspended.',
    fails: (serial) => serial.revoked_at !== null || serial.product_deleted,
  },
  {
    code: 'developer_gone',
    message:
      'The maker of this plugin has closed their account, so this serial can no longer be redeemed. Ask the shop that sold it for a refund.',
    fails: (serial) => serial.developer_deleted && serial.redeemed_at === null,
  },
  {
    code: 'product_is_draft',
    message: 'This product is not available yet.',
    fails: (serial) => serial.is_draft && serial.redeemed_at === null,
  },
  {
    code: 'serial_not_yet_valid',
    message: 'This serial cannot be redeemed yet.',
    fails: (serial, now) => serial.redeemed_at === null && serial.promo_start !== null && serial.promo_start > now,
  },
  {
    code: 'serial_expired',
    message: 'This serial has expired and can no longer be redeemed.',
    fails: (serial, now) => serial.redeemed_at === null && serial.expires_at !== null && serial.expires_at <= now,
  },
];

/** @throws {AppError} by the first rule that says no. A revoked serial still shows its card, so that rule can be left out. */
export function holdToRules(serial: Candidate, now: Date): void {
  const failed = rules.find((rule) => rule.fails(serial, now));
  if (failed) throw new AppError(failed.code, failed.message);
}
