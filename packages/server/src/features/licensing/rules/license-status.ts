import { z } from 'zod';
import { Time } from '#platform/http/schemas.ts';

/**
 * Every status of the licensing API, with its HTTP status and the words for `error`. Plugins decide by `status`; the
 * HTTP status is for proxies, logs and clients that look at nothing else.
 */
export const licenseStatuses = {
  active: [200, ''],
  deactivated: [200, ''],
  trial: [200, ''],
  code_sent: [200, ''],
  seats: [200, ''],
  pending: [400, 'Not confirmed in the browser yet.'],
  slow_down: [400, 'Asked too often. Wait longer between two calls.'],
  invalid_request: [400, 'The request is not valid.'],
  unauthorized: [401, 'The plugin key is missing, unknown or inactive.'],
  revoked: [403, 'This license has been revoked.'],
  expired: [403, 'This serial has expired.'],
  not_yet_valid: [403, 'This serial cannot be used yet.'],
  email_mismatch: [403, 'This license belongs to another email address.'],
  quota_blocked: [
    403,
    'This serial cannot be activated right now, because the plugin’s maker has used up this month’s redemptions. Please contact them, or try again next month.',
  ],
  invalid_token: [403, 'The validation token does not belong to this license on this machine.'],
  trial_expired: [403, 'The trial on this machine is over.'],
  denied: [403, 'This was denied in the browser.'],
  code_expired: [403, 'The code is wrong or too old. Start again.'],
  code_required: [403, 'A code from the email to the owner of this license is required for that.'],
  not_found: [404, 'License not found.'],
  no_trial: [404, 'This product has no trial.'],
  not_activated: [409, 'This license is not activated on this machine.'],
  leased: [409, 'This seat is reserved by an offline license until it expires.'],
  seat_limit: [409, 'All activations of this license are in use. Deactivate another machine first.'],
  churn_limit: [
    409,
    'This license was recently used on too many new machines. Try again in a few days, or on a known machine.',
  ],
  product_mismatch: [422, 'This license is for another product.'],
  email_required: [422, 'Enter your email address to activate this license for the first time.'],
  rate_limited: [429, 'Too many requests. Try again later.'],
  server_error: [500, 'Something went wrong on the server.'],
  unavailable: [503, 'The license server is temporarily unavailable.'],
} as const satisfies Record<string, readonly [number, string]>;

export type LicenseStatus = keyof typeof licenseStatuses;

/** Whether a plugin gets this status while it waits for its owner in the browser: nothing went wrong. */
export const isWaiting = (status: LicenseStatus): boolean => status === 'pending' || status === 'slow_down';

/** A refusal in the licensing API's own form. */
export class LicenseRefusal extends Error {
  override name = 'LicenseRefusal';
  readonly status: LicenseStatus;

  constructor(status: LicenseStatus, message?: string) {
    super(message ?? licenseStatuses[status][1]);
    this.status = status;
  }
}

const statusNames = Object.keys(licenseStatuses) as [LicenseStatus, ...LicenseStatus[]];

/** The answer of every call of the licensing API, whatever its status. */
export const LicenseAnswer = z
  .object({
    ok: z.boolean(),
    status: z.enum(statusNames),
    validation_token: z
      .string()
      .optional()
      .describe('An EdDSA JWT. Verify it with the keys from /api/license/v1/jwks.'),
    max_activations: z.int().optional(),
    remaining: z.int().optional(),
    trial_ends_at: Time.optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'LicenseAnswer' });
export type LicenseAnswer = z.output<typeof LicenseAnswer>;

export interface SeatCount {
  max_activations: number;
  seats_used: number;
}

/** A serial's seats, as an answer has them. */
export function seatsOf({ max_activations, seats_used }: SeatCount) {
  return { max_activations, remaining: Math.max(0, max_activations - seats_used) };
}
