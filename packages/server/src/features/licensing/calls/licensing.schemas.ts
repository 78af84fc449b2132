import { z } from 'zod';
import {
  LicenseKey,
  MachineId,
  NewMachineId,
  note,
  OptionalLicenseKey,
  ProductId,
  ProductText,
  RequiredToken,
  ValidationToken,
} from '../rules/license-fields.ts';
import { isSameMachine } from '../rules/machine-ids.ts';

const who = { license_key: LicenseKey, machine_id: MachineId };

/** Unknown fields are ignored: shipped plugins must keep working with what they send. */
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
export type ValidateBody = z.output<typeof ValidateBody>;
export type DeactivateBody = z.output<typeof DeactivateBody>;
export type TransferBody = z.output<typeof TransferBody>;
export type TrialBody = z.output<typeof TrialBody>;
export type TrialQuestion = z.output<typeof TrialQuestion>;

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
