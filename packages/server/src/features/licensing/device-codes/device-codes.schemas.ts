import { z } from 'zod';
import { MyMachine } from '#features/redemption';
import { dataOf } from '#platform/access/withhold.ts';
import { Id, Time } from '#platform/http/schemas.ts';
import { isUserCode, plainUserCode } from '#platform/text/user-code.ts';
import { MachineId, NewMachineId, note, OldMachineIds, ProductId, ProductText } from '../rules/license-fields.ts';
import { LicenseAnswer } from '../rules/license-status.ts';

/** What a plugin sends to be confirmed in the browser. Unknown fields are ignored. */
export const StartDeviceBody = z
  .object({
    product_id: ProductId,
    machine_id: NewMachineId,
    old_machine_ids: OldMachineIds,
    version: note(),
    label: note().describe('The name of the machine, shown to whoever confirms.'),
    os: note().describe('Its operating system.'),
  })
  .meta({ id: 'StartLicenseDevice' });

export const DeviceStarted = LicenseAnswer.extend({
  device_code: z.string().describe('The plugin’s own secret, with which it asks what was answered.'),
  user_code: z.string().describe('What the plugin shows, to be compared or typed: such as `BCDF-GHJK`.'),
  verification_uri: z.string().describe('The address of the redemption page, where the code can be typed.'),
  verification_uri_complete: z.string().describe('The same with the code in it, for a button and a QR code.'),
  qr: z
    .array(z.string())
    .describe(
      'That QR code, for plugins that can draw squares and make none: its rows from the top, with 1 for a dark square. A light margin of four squares belongs around it.',
    ),
  expires_in: z.int().describe('For how many seconds both codes work.'),
  interval: z.int().describe('How many seconds to wait between two calls of `finishLicenseDevice`.'),
}).meta({ id: 'LicenseDeviceStarted' });

const NO_DEVICE_CODE = 'The plugin did not send its device code (device_code).';
const DeviceCode = z.string(NO_DEVICE_CODE).trim().min(1, NO_DEVICE_CODE).max(200, NO_DEVICE_CODE);

export const FinishDeviceBody = z
  .object({
    device_code: DeviceCode.describe('From `startLicenseDevice`.'),
    machine_id: MachineId,
    product_id: ProductText,
  })
  .meta({ id: 'FinishLicenseDevice' });

export const DeviceFinished = LicenseAnswer.extend({
  license_key: z.string().describe('The serial that was chosen in the browser.'),
}).meta({ id: 'LicenseDeviceFinished' });

const asked = {
  user_code: z
    .string()
    .max(100)
    .overwrite(plainUserCode)
    .refine(isUserCode, 'Enter the eight characters that the plugin shows, such as BCDF-GHJK.')
    .describe('What the plugin shows, in any case, with or without its dash.'),
  dev: Id.optional().describe(
    'The developer whose page this is. On a custom domain, the host identifies the developer.',
  ),
};
const token = z
  .string()
  .min(1)
  .max(20_000)
  .describe('From the link in the email (valid for 30 minutes), or the `download_token` of a redemption.');

export const FindDeviceCodeBody = z.strictObject(asked).meta({ id: 'FindDeviceCode' });
export const DeviceSerialsBody = z.strictObject({ ...asked, token }).meta({ id: 'ListDeviceSerials' });
export const ConfirmDeviceCodeBody = z
  .strictObject({ ...asked, token, serial: z.string().min(1).max(200).describe('One of `listDeviceSerials`.') })
  .meta({ id: 'ConfirmDeviceCode' });

export const DeviceCodeView = z
  .object({
    user_code: z.string().describe('The code that the plugin shows.'),
    product: z.string().describe('The plugin that asks.'),
    machine: z.string().nullable().describe('What its computer is called; null: the plugin gave no name.'),
    os: z.string().nullable(),
    version: z.string().nullable(),
    country: z.string().nullable().describe('Where the plugin asked from, ISO 3166-1; null: unknown.'),
    same_network: z.boolean().describe('Whether that is in the network of whoever asks here.'),
    state: z.enum(['pending', 'confirmed', 'denied']).describe('What was answered.'),
    created_at: Time,
    expires_in: z.int().describe('In how many seconds the code expires.'),
  })
  .meta({ id: 'DeviceCode' });
export type DeviceCodeView = z.output<typeof DeviceCodeView>;

export const DeviceSerials = z
  .object({
    by_email: z.boolean().describe('Whether the token is from the email, so that seats can be released with it.'),
    serials: z.array(
      z.object({
        serial: dataOf('codes', z.string()),
        max_activations: z.int(),
        seats_used: z.int(),
        is_full: z.boolean().describe('All seats are in use, and none of them by the computer that asks.'),
        is_activated: z.boolean().describe('The computer that asks has its seat already.'),
        machines: z.array(MyMachine).describe('Those with a seat; empty unless `by_email`.'),
      }),
    ),
  })
  .meta({ id: 'DeviceSerials' });
export type DeviceSerials = z.output<typeof DeviceSerials>;
