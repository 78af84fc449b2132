import { z } from 'zod';
import { dataOf } from '#platform/access/withhold.ts';
import { Id, Time } from '#platform/http/schemas.ts';

/** Codes by their weight: an answer begins with the first one that holds. */
export const standingCodes = [
  'revoked',
  'product_deleted',
  'expired',
  'draft',
  'not_yet_valid',
  'download_limit',
  'seats_taken',
  'refused',
  'handed_out',
  'available',
  'in_order',
  'no_serials',
] as const;
export type StandingCode = (typeof standingCodes)[number];

/** Actions of a support desk that fix it. */
export const mendActions = [
  'reassign',
  'submit_product',
  'reset_downloads',
  'release_machine',
  'add_seats',
  'extend_batch',
  'change_start',
  'change_plan',
] as const;

const Mend = z
  .object({
    action: z
      .enum(mendActions)
      .describe(
        'What helps: reassignSerial, submitting the product, refreshSerial, releaseSerialMachine, setSerialSeats, changeBatch with a later end or an earlier start, or a larger plan.',
      ),
    label: z.string().describe('The words for its button, without the price.'),
    cost: z.number().describe('What it costs the developer, in dollars; 0: nothing.'),
  })
  .meta({ id: 'Mend' });

const finding = {
  code: z.enum(standingCodes).describe('What was found. `in_order`: nothing is wrong.'),
  message: z.string().describe('The same in a sentence.'),
  since: Time.nullable().describe('Since when; null: unknown, or always.'),
  serial_id: Id.nullable().describe('The serial that it is about; null: the customer has none.'),
  serial: dataOf('codes', z.string().nullable()),
  product_id: Id.nullable(),
  product_name: z.string().nullable().describe('The product of that serial.'),
  mends: z.array(Mend).describe('What to do about it, the best first.'),
};
const Finding = z.object(finding).meta({ id: 'Finding' });
export type Finding = z.output<typeof Finding>;

export const Standing = z
  .object({ ...finding, also: z.array(Finding).describe('What else is in the way, at most 20.') })
  .meta({ id: 'Standing' });
export type Standing = z.output<typeof Standing>;

/** The standing of a listed serial. */
export const RowStanding = z
  .object({ code: finding.code, message: finding.message, since: finding.since })
  .meta({ id: 'SerialStanding' });
export type RowStanding = z.output<typeof RowStanding>;
