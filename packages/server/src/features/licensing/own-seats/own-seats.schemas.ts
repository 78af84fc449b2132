import { z } from 'zod';
import { Id, Time } from '#platform/http/schemas.ts';
import {
  LicenseKey,
  MachineId,
  OptionalLicenseKey,
  optionalText,
  ProductText,
  ValidationToken,
} from '../rules/license-fields.ts';
import { LicenseAnswer } from '../rules/license-status.ts';

export const SendSeatCodeBody = z
  .object({ license_key: LicenseKey, machine_id: MachineId, product_id: ProductText })
  .meta({ id: 'SendSeatCode' });

/** A license, and what shows that its seats are the caller's to see. */
const proofs = {
  license_key: OptionalLicenseKey.describe('Not needed with `device_code`, which names the serial.'),
  machine_id: MachineId,
  product_id: ProductText,
  email_code: optionalText(100, 'The code from the email is too long.').describe(
    'From the email to the owner: lists and releases every machine.',
  ),
  device_code: optionalText(200, 'The plugin sent an invalid device code.').describe(
    'Confirmed in the browser. Releases other machines if the page was opened by the link from the email.',
  ),
  validation_token: ValidationToken.describe('Of this machine’s seat. Lists all machines and releases this one.'),
};

export const ListSeatsBody = z.object(proofs).meta({ id: 'ListLicenseSeats' });
export type ListSeatsBody = z.output<typeof ListSeatsBody>;

const NO_SEAT = 'The plugin did not send which seat to release (seat_id).';
export const ReleaseSeatBody = z
  .object({ ...proofs, seat_id: z.uuid(NO_SEAT).describe('The `id` of one of the `seats`.') })
  .meta({ id: 'ReleaseLicenseSeat' });
export type ReleaseSeatBody = z.output<typeof ReleaseSeatBody>;

const Seat = z
  .object({
    id: Id,
    name: z.string().nullable().describe('What the machine is called; null: its plugin gave no name.'),
    os: z.string().nullable(),
    version: z.string().nullable().describe('The plugin’s version there.'),
    machine: z.string().describe('The first characters of the machine’s id.'),
    last_seen_at: Time,
    leased_until: Time.nullable().describe('An offline license holds the seat until then.'),
    is_this: z.boolean().describe('Whether it is the machine that asks.'),
  })
  .meta({ id: 'LicenseSeat' });

export const SeatList = LicenseAnswer.extend({
  seats: z.array(Seat).describe('The machines with a seat, those seen last first.'),
}).meta({ id: 'LicenseSeats' });
export type SeatList = z.output<typeof SeatList>;
