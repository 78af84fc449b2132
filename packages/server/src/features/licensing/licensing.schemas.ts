import { z } from 'zod';
import { type LicenseStatus, licenseStatuses } from './license-status.ts';

const statusNames = Object.keys(licenseStatuses) as [LicenseStatus, ...LicenseStatus[]];

/** Separators of the key files that stock clients parse, white space and control characters would change the meaning. */
const MachineId = z
  .string()
  .min(1, 'machine_id is required.')
  .max(256, 'machine_id has at most 256 characters.')
  .regex(/^[^,;#\s\p{Cc}]+$/u, 'machine_id must not contain , ; # white space or control characters.');
const LicenseKey = z.string().trim().min(1, 'license_key is required.').max(200, 'license_key is too long.');
// an empty field of a form means that it was not filled in
const optional = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .nullish()
    .transform((value) => value || null);

const who = { license_key: LicenseKey, machine_id: MachineId };

/** Unknown fields are ignored: shipped plugins must go on working with what they send. */
export const ActivateBody = z
  .object({ ...who, product_id: optional(100), version: optional(100), email: optional(254) })
  .meta({ id: 'ActivateLicense' });
export const ValidateBody = z
  .object({ ...who, product_id: optional(100), version: optional(100), validation_token: optional(4000) })
  .meta({ id: 'ValidateLicense' });
export const DeactivateBody = z.object(who).meta({ id: 'DeactivateLicense' });
export type ActivateBody = z.output<typeof ActivateBody>;
export type ValidateBody = z.output<typeof ValidateBody>;
export type DeactivateBody = z.output<typeof DeactivateBody>;

export const LicenseAnswer = z
  .object({
    ok: z.boolean(),
    status: z.enum(statusNames),
    validation_token: z.string().optional().describe('An EdDSA JWT; verify it with the keys of /api/license/v1/jwks.'),
    max_activations: z.int().optional(),
    remaining: z.int().optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'LicenseAnswer' });
export type LicenseAnswer = z.output<typeof LicenseAnswer>;

export const JwksQuery = z.object({ dev: z.uuid('dev must be a developer’s id.') });
export const Jwks = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        kid: z.string(),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
      }),
    ),
  })
  .meta({ id: 'Jwks' });
