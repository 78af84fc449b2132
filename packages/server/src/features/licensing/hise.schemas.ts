import { z } from 'zod';
import { type LicenseStatus, licenseStatuses } from './license-status.ts';
import { ActivateBody } from './licensing.schemas.ts';

const statusNames = Object.keys(licenseStatuses) as [LicenseStatus, ...LicenseStatus[]];
const { license_key: key, machine_id: instance_id } = ActivateBody.shape;

// HISE's form bodies hold everything as text, and a script may send a number
const optional = (max: number) =>
  z
    .preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string().trim().max(max).nullish())
    .transform((value) => value || null);

/** Unknown fields are ignored: shipped plugins must go on working with what they send. */
export const HiseActivateBody = z
  .object({
    key,
    instance_id: instance_id.describe('FileSystem.getSystemId().'),
    product_id: optional(100).describe('Which product the plugin is: a license of another one does not unlock it.'),
    device_label: optional(200),
    plugin_version: optional(100),
    first_name: optional(100),
    last_name: optional(100),
    email: optional(254),
    app: optional(200).describe('What the plugin calls itself, without a version: Engine.getName().'),
  })
  .meta({ id: 'HiseActivate' });
export type HiseActivateBody = z.output<typeof HiseActivateBody>;

export const HiseValidateBody = z
  .object({ key, instance_id, product_id: optional(100), plugin_version: optional(100), token: optional(4000) })
  .meta({ id: 'HiseValidate' });
export type HiseValidateBody = z.output<typeof HiseValidateBody>;

export const HiseDeactivateBody = z.object({ key, instance_id }).meta({ id: 'HiseDeactivate' });
export type HiseDeactivateBody = z.output<typeof HiseDeactivateBody>;

export const HiseQuery = z.object({ app_id: z.string().optional(), app_key: z.string().optional() });

export const HiseAnswer = z
  .object({
    ok: z.boolean(),
    status: z.enum(statusNames),
    validation_token: z.string().optional(),
    new_token: z.string().optional().describe('Takes the place of the token that was sent.'),
    max_activations: z.int().optional(),
    remaining: z.int().optional(),
    key_file: z.string().optional().describe('For Unlocker.writeKeyFile, when the product has an RSA pair.'),
    error: z.string().optional(),
  })
  .meta({ id: 'HiseAnswer' });
export type HiseAnswer = z.output<typeof HiseAnswer>;
