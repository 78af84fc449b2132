import { type Obstacle, obstacleOf, type SerialState } from '#features/serials';
import { startInWords } from '#platform/time/dates-in-words.ts';
import { LicenseRefusal, type LicenseStatus } from './license-status.ts';

const DEVELOPER_GONE =
  'The maker of this plugin has closed their account, so this serial can no longer be activated. Ask the shop that sold it for a refund.';

/** A license as the rules see it. */
export interface LicenseFacts extends SerialState {
  product_id: string;
  /** Null without an owner, and while no address is to be compared. */
  owner_email_key: string | null;
}

/** The plugin's question. */
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
 * The rules in order: the first one that fails names the status. A serial that may not be redeemed cannot be activated
 * for the first time either; a customer keeps a redeemed one.
 */
const rules: readonly Rule[] = [
  { status: 'revoked', fails: blockedBy('revoked', 'product_deleted') },
  {
    status: 'product_mismatch',
    fails: (license, { productId }) => productId !== null && productId.toLowerCase() !== license.product_id,
  },
  { status: 'expired', fails: blockedBy('developer_deleted', 'expired') },
  { status: 'not_found', fails: blockedBy('draft') },
  { status: 'not_yet_valid', fails: blockedBy('not_yet_valid') },
  {
    status: 'email_mismatch',
    fails: (license, { emailKey }) =>
      license.redeemed_at !== null && emailKey !== null && emailKey !== license.owner_email_key,
  },
];

function blockedBy(...obstacles: Obstacle[]): Rule['fails'] {
  return (license, { now }) => {
    const obstacle = obstacleOf(license, now);
    return obstacle !== null && obstacles.includes(obstacle);
  };
}

/** The status of the first rule that refuses, or null when all pass. */
export function firstRefusal(license: LicenseFacts, question: LicenseQuestion): LicenseStatus | null {
  return rules.find((rule) => rule.fails(license, question))?.status ?? null;
}

/** @throws {LicenseRefusal} with the status of the first rule that refuses. */
export function assertRules(license: LicenseFacts & { time_zone: string }, question: LicenseQuestion): void {
  const refusal = firstRefusal(license, question);
  if (refusal === null) return;
  // the serial has no owner, and its developer has deleted the account
  const isOrphan = license.developer_deleted && license.redeemed_at === null;
  if (refusal === 'expired' && isOrphan) throw new LicenseRefusal(refusal, DEVELOPER_GONE);
  if (refusal === 'not_yet_valid' && license.promo_start) {
    const from = startInWords(license.promo_start, license.time_zone);
    throw new LicenseRefusal(refusal, `This serial can be used from ${from}.`);
  }
  throw new LicenseRefusal(refusal);
}
