import { z } from 'zod';
import { Time } from '#platform/http/schemas.ts';
import { type LicenseStatus, licenseStatuses } from './license-status.ts';

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
