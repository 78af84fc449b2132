import { z } from 'zod';
import { Time } from '../../../platform/http/schemas.ts';
import {
  LicenseEmail,
  LicenseKey,
  MachineId,
  NewMachineId,
  note,
  OldMachineIds,
  OptionalLicenseKey,
  ProductText,
  RequiredToken,
  ValidationToken,
} from '../rules/license-fields.ts';
import { type LicenseStatus, licenseStatuses } from '../rules/license-status.ts';
import { isSameMachine } from '../rules/machine-ids.ts';

const statusNames = Object.keys(licenseStatuses) as [LicenseStatus, ...LicenseStatus[]];

const ProductId = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.trim() : value),
    z.uuid('product_id must be a product’s id.'),
  )
  .transform((id) => id.toLowerCase());

const newcomer = { license_key: LicenseKey, machine_id: NewMachineId };
const who = { license_key: LicenseKey, machine_id: MachineId };

/** Unknown fields are ignored: shipped plugins must keep working with what they send. */
export const ActivateBody = z
  .object({
    ...newcomer,
    old_machine_ids: OldMachineIds,
    product_id: ProductText,
    version: note(),
    email: LicenseEmail,
    label: note().describe('The name of the machine.'),
    os: note().describe('Its operating system.'),
  })
  .meta({ id: 'ActivateLicense' });
export const ValidateBody = z
  .object({
    license_key: OptionalLicenseKey.describe(
      'Optional for a trial, which is identified by product_id and validation_token.',
    ),
    machine_id: MachineId,
    product_id: ProductText,
    version: note(),
    validation_token: ValidationToken,
  })
  .meta({ id: 'ValidateLicense' });
export const DeactivateBody = z.object(who).meta({ id: 'DeactivateLicense' });
export const TransferBody = z
  .object({
    license_key: LicenseKey,
    old_machine_id: MachineId,
    machine_id: NewMachineId,
    validation_token: RequiredToken.describe('The validation token of the old machine.'),
    product_id: ProductText,
    version: note(),
    label: note(),
    os: note(),
  })
  .refine((body) => !isSameMachine(body.old_machine_id, body.machine_id), {
    path: ['machine_id'],
    message: 'machine_id must differ from old_machine_id.',
  })
  .meta({ id: 'TransferLicense' });
export const TrialBody = z
  .object({ product_id: ProductId, machine_id: NewMachineId, version: note() })
  .meta({ id: 'StartTrial' });
/** What `validate` needs for a trial. */
export const TrialQuestion = z.object({
  product_id: ProductId,
  machine_id: z.string(),
  validation_token: z.string(),
});
export type ActivateBody = z.output<typeof ActivateBody>;
export type ValidateBody = z.output<typeof ValidateBody>;
export type DeactivateBody = z.output<typeof DeactivateBody>;
export type TransferBody = z.output<typeof TransferBody>;
export type TrialBody = z.output<typeof TrialBody>;
export type TrialQuestion = z.output<typeof TrialQuestion>;

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

export const LicenseTimeQuery = z.object({ product_id: ProductId.optional().describe('Set it to get `hise`.') });
export const LicenseTime = z
  .object({
    ok: z.literal(true),
    time: Time,
    unix: z.int().describe('Seconds since 1970.'),
    iso: z.string().describe('The same second, in the format `hise` signs.'),
    hise: z
      .string()
      .optional()
      .describe('The time signed with the product’s RSA key, for HISE’s Unlocker.checkExpirationData.'),
  })
  .meta({ id: 'LicenseTime' });

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
