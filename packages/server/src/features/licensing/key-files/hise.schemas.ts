import { z } from 'zod';
import { ActivateBody } from '../rules/activate-body.ts';
import { credentialFields, note, OldMachineIds, ValidationToken } from '../rules/license-fields.ts';
import { type LicenseStatus, licenseStatuses } from '../rules/license-status.ts';

const statusNames = Object.keys(licenseStatuses) as [LicenseStatus, ...LicenseStatus[]];
const { license_key: key, machine_id: instance_id, product_id, email } = ActivateBody.shape;

/** Unknown fields are ignored: shipped plugins must keep working with what they send. */
export const HiseActivateBody = z
  .object({
    key,
    instance_id: instance_id.describe('FileSystem.getSystemId().'),
    old_instance_ids: OldMachineIds,
    product_id: product_id.describe('The product this plugin is. A license for another product does not unlock it.'),
    device_label: note(),
    plugin_version: note(),
    first_name: note(),
    last_name: note(),
    email,
    app: note(200).describe('The plugin’s name without a version: Engine.getName().'),
    ...credentialFields,
  })
  .meta({ id: 'HiseActivate' });
export type HiseActivateBody = z.output<typeof HiseActivateBody>;

export const HiseValidateBody = z
  .object({ key, instance_id, product_id, plugin_version: note(), token: ValidationToken, ...credentialFields })
  .meta({ id: 'HiseValidate' });
export type HiseValidateBody = z.output<typeof HiseValidateBody>;

export const HiseDeactivateBody = z.object({ key, instance_id, ...credentialFields }).meta({ id: 'HiseDeactivate' });
export type HiseDeactivateBody = z.output<typeof HiseDeactivateBody>;

export const HiseQuery = z.object(credentialFields);

export const HiseAnswer = z
  .object({
    ok: z.boolean(),
    status: z.enum(statusNames),
    validation_token: z.string().optional(),
    new_token: z.string().optional().describe('Replaces the token that was sent.'),
    max_activations: z.int().optional(),
    remaining: z.int().optional(),
    key_file: z.string().optional().describe('For Unlocker.writeKeyFile, if the product has an RSA pair.'),
    error: z.string().optional(),
  })
  .meta({ id: 'HiseAnswer' });
export type HiseAnswer = z.output<typeof HiseAnswer>;
