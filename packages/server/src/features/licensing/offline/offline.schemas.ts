import { z } from 'zod';
import { codeOfEmail } from '#platform/text/code-in-text.ts';
import { ActivateBody } from '../rules/activate-body.ts';
import { credentialFields, optionalText } from '../rules/license-fields.ts';

const { license_key, email, version } = ActivateBody.shape;

const NO_FILE = 'Choose the machine file that the plugin wrote on that computer (machine_file).';
const machine_file = z
  .string(NO_FILE)
  .min(1, NO_FILE)
  .refine((text) => Buffer.byteLength(text) <= 16 * 1024, 'A machine file can have at most 16 kB (machine_file).')
  .describe(
    'JSON with a machine_id and optionally a device, an app and a release_hash, with which the license file can be released before its lease ends; the same in Base64; or the machine id alone.',
  );

const NO_RELEASE = 'Choose the release file that the plugin wrote on that computer (release).';
const release = z
  .string(NO_RELEASE)
  .min(1, NO_RELEASE)
  .refine((text) => Buffer.byteLength(text) <= 16 * 1024, 'A release file can have at most 16 kB (release).')
  .describe('The release file: JSON with release, serial_id and product_id; or the same in Base64.');

/** The plugin's name; a machine file may include it too. */
export const AppName = optionalText(254, 'The name of the plugin in the machine file is too long (app).');

export const OfflineBody = z
  .object({
    license_key,
    machine_file,
    email,
    app: AppName.describe('For the key file of a JUCE or HISE plugin: the name the plugin uses for itself.'),
    version: version.describe('If app is not given: the version to append to the product’s name, as HISE needs it.'),
    ...credentialFields,
  })
  .meta({ id: 'CreateOfflineLicense' });
export type OfflineBody = z.output<typeof OfflineBody>;

export const OfflineReleaseBody = z.object({ release, ...credentialFields }).meta({ id: 'ReleaseOfflineLicense' });

export const LicenseFile = z.string();

const NO_LINK = 'Open the link from the email again.';
const NO_SERIAL = 'Choose the serial of the license file.';

const owned = {
  token: z
    .string(NO_LINK)
    .min(1, NO_LINK)
    .max(2000, NO_LINK)
    .describe('From the link in the email; valid for 30 minutes.'),
  serial: z.string(NO_SERIAL).overwrite(codeOfEmail).min(1, NO_SERIAL).max(200, 'The serial is too long.'),
};

export const OwnOfflineBody = z.strictObject({ ...owned, machine_file }).meta({ id: 'CreateOwnOfflineLicense' });

export const OwnReleaseBody = z.strictObject({ ...owned, release }).meta({ id: 'ReleaseOwnOfflineLicense' });
