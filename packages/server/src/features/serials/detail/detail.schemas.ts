import { z } from 'zod';
import { Standing } from '#features/customers';
import { Cursor, Id, Limit, Time } from '#platform/http/schemas.ts';
import { RedeemedSerial } from '../redeemed/redeemed.schemas.ts';
import { serial } from '../serials.schemas.ts';

export const Machine = z
  .object({
    id: Id,
    machine_id: z.string(),
    label: z.string().nullable().describe('The name that the plugin reports for the machine.'),
    os: z.string().nullable(),
    version: z.string().nullable(),
    created_at: Time,
    last_seen_at: Time,
    released_at: Time.nullable().describe('When the machine’s seat was released; null while it holds one.'),
  })
  .meta({ id: 'Machine' });

const Happened = z
  .object({
    kind: z
      .enum([
        'made',
        'given',
        'handed_out',
        'returned',
        'redeemed',
        'activated',
        'released',
        'revoked',
        'reassigned',
        'refreshed',
        'downloaded',
        'refunded',
        'charged_back',
        'reinstated',
        'corrected',
        'refused',
        'redemption_refused',
        'emailed',
        'transferred',
      ])
      .describe(
        '`refused`: a plugin was refused in the last 7 days, `redemption_refused`: a redemption; `detail` is the status, as in listLicenseRefusals. `transferred`: `detail` is the address of the owner until then.',
      ),
    at: Time,
    detail: z.string().nullable(),
    amount: z
      .number()
      .nullable()
      .describe('What it changed in the revenue, in dollars, negative for a refund; null: it is not about money.'),
  })
  .meta({ id: 'SerialEvent' });
export const HistoryPage = z
  .object({ rows: z.array(Happened), next_cursor: z.string().nullable() })
  .meta({ id: 'SerialHistoryPage' });
export const MachinePage = z
  .object({ rows: z.array(Machine), next_cursor: z.string().nullable() })
  .meta({ id: 'MachinePage' });
export const HistoryQuery = z.object({ limit: Limit, cursor: Cursor });

export const SerialDetail = z
  .object({
    ...serial,
    standing: Standing.describe('What keeps it from being used, if anything, and what helps.'),
    reseller_name: z.string().nullable(),
    order: z
      .object({ id: Id, number: z.string().describe('As people call it.') })
      .nullable()
      .describe('The order of a shop that it was sold in; null: none.'),
    customer: RedeemedSerial.shape.customer.nullable(),
    final_price: z.number().nullable(),
    refunded: z.number().describe('Dollars given back of the final price, in all.'),
    refundable: z.number().describe('Dollars that can still be given back; 0 for an imported redemption.'),
    refunds: z
      .array(
        z.object({
          id: Id,
          kind: z.enum(['refund', 'chargeback', 'reinstatement', 'correction']),
          amount: z.number().describe('In dollars, negative for a refund.'),
          commission: z.number(),
          reason: z.string(),
          created_at: Time,
        }),
      )
      .describe('What changed the money of the redemption afterwards; newest first, at most 100.'),
    refresh_cost: z.number().describe('What setting its download count back costs now, in dollars.'),
    redeem_link: z.string().describe('The redemption page with the code, and the customer’s address, filled in.'),
    country: z.string().nullable(),
    max_activations: z.int(),
    seats_used: z.int(),
    machines: z.array(Machine).describe('Those with a seat, then the others; the 200 seen most recently.'),
    machines_cursor: z.string().nullable().describe('Where listSerialMachines goes on; null: that is all.'),
    history: z.array(Happened).describe('Newest first, at most 200.'),
    history_cursor: z.string().nullable().describe('Where listSerialHistory goes on; null: that is all.'),
  })
  .meta({ id: 'SerialDetail' });
export type SerialDetail = z.output<typeof SerialDetail>;
