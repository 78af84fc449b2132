import type { Texts } from '#lib/redeem-texts/en.ts';
import { fill, type Words } from '#lib/redeem-texts/words.ts';
import { RedeemError, type RedeemFailure } from './api.ts';

const KNOWN = [
  'serial_not_found',
  'serial_already_redeemed',
  'serial_revoked',
  'developer_gone',
  'serial_expired',
  'quota_reached',
  'temp_token_invalid',
  'download_token_invalid',
  'download_limit_reached',
  'ambiguous_serial',
  'product_is_draft',
  'link_invalid',
  'unavailable',
  'unexpected',
  'network',
] as const satisfies readonly (RedeemFailure & keyof Texts)[];

/** The message for an invalid field. */
const FIELDS = {
  serial: 'serial_not_found',
  email: 'emailNeeded',
  first_name: 'namesNeeded',
  last_name: 'namesNeeded',
  dev: 'ambiguous_serial',
  machine_file: 'machineFileNeeded',
  release: 'machineFileNeeded',
} as const satisfies Record<string, keyof Texts>;

const MINUTE = 60;

/** The message to show: our translation by code, else the server's message, else what failed. */
export function explain(error: unknown, { t, count, moment }: Words, fallback: string): string {
  if (!(error instanceof RedeemError)) return fallback;
  if (error.code === 'rate_limited') {
    const seconds = error.retryAfter ?? MINUTE;
    return seconds < MINUTE ? count(t.waitSeconds, seconds) : count(t.waitMinutes, Math.ceil(seconds / MINUTE));
  }
  if (error.code === 'serial_not_yet_valid' && error.opensAt)
    return fill(t.serial_not_yet_valid, { date: moment(error.opensAt) });
  const known = KNOWN.find((code) => code === error.code) ?? fieldOf(error);
  return known ? t[known] : error.message || fallback;
}

function fieldOf({ code, field = '' }: RedeemError) {
  if (code !== 'invalid_request') return undefined;
  return Object.hasOwn(FIELDS, field) ? FIELDS[field as keyof typeof FIELDS] : undefined;
}

export function isCode(error: unknown, code: RedeemFailure): boolean {
  return error instanceof RedeemError && error.code === code;
}
