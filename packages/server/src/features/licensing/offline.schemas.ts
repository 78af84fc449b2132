import { z } from 'zod';
import { ActivateBody } from './licensing.schemas.ts';

const { license_key, email, version, machine_id } = ActivateBody.shape;

/** The rules of machine ids, for those that come in a file. */
export const MachineId = machine_id;

const machine_file = z
  .string()
  .min(1, 'machine_file is required.')
  .refine((text) => Buffer.byteLength(text) <= 16 * 1024, 'machine_file has at most 16 kB.')
  .describe('JSON with a machine_id, and perhaps a device and an app; the same in Base64; or the machine id alone.');

/** What a plugin calls itself; a machine file may say it too. */
export const AppName = email.describe('For the key file of a JUCE or HISE plugin: what it calls itself.');

export const OfflineBody = z
  .object({
    license_key,
    machine_file,
    email,
    app: AppName,
    version: version.describe('Without app: added to the product’s name, as HISE needs it.'),
  })
  .meta({ id: 'CreateOfflineLicense' });
export type OfflineBody = z.output<typeof OfflineBody>;

export const LicenseFile = z.string();

export const OwnOfflineBody = z
  .strictObject({
    token: z.string().min(1).max(2000).describe('From the link in the letter, 30 minutes.'),
    serial: z.string().min(1).max(200),
    machine_file,
  })
  .meta({ id: 'CreateOwnOfflineLicense' });
