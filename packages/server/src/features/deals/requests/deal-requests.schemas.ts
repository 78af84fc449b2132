import { z } from 'zod';
import { Price } from '#features/products';
import { MAX_QUANTITY } from '#features/serials';
import { COUNTED_PAGE, Flag, Id, Time } from '#platform/http/schemas.ts';

const Status = z.enum(['pending', 'accepted', 'declined', 'withdrawn']);
export type DealRequestStatus = z.output<typeof Status>;

const paragraph = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .transform((text) => text.replace(/\r\n?/g, '\n'));
const day = z
  .string()
  .trim()
  .max(40)
  .nullish()
  .transform((value) => value || null);

export const RequestDealBody = z
  .strictObject({
    product_id: Id,
    price: Price.refine((price) => price !== null, 'Enter a price.').transform((price) => price as number),
    quantity: z
      .int('Enter a whole number.')
      .min(1, 'Ask for at least 1.')
      .max(MAX_QUANTITY, 'Ask for at most 1,000,000.')
      .describe('How many serials are wanted.'),
    promo_start: day.describe('First day of the sale; null: at once.'),
    promo_expires: day.describe('Last day of the sale; null: no end.'),
    expires_at: day.describe('Last day on which customers can redeem; null: no end.'),
    note: paragraph(1000)
      .nullish()
      .transform((text) => text || null)
      .describe('A note for the developer, plain text.'),
  })
  .meta({
    id: 'RequestDeal',
    description:
      'Dates are days (`2026-12-31`, in the account’s time zone; promo_start means the start of the day, the others its end) or ISO 8601 timestamps; one without an offset is on the account’s clock.',
  });
export type RequestDeal = z.output<typeof RequestDealBody>;

export const DeclineBody = z
  .strictObject({
    reason: paragraph(1000)
      .refine((text) => text !== '', 'Give a reason.')
      .describe('Shown to the reseller.'),
  })
  .meta({ id: 'DeclineDeal' });

const terms = {
  quantity: z.int().describe('How many serials.'),
  promo_start: Time.nullable().describe('First moment of the sale; null: at once.'),
  promo_expires: Time.nullable().describe('Until when it may be sold; null: no end.'),
  expires_at: Time.nullable().describe('Until when its serials have to be redeemed; null: no end.'),
};

export const DealRequestView = z
  .object({
    id: Id,
    status: Status.describe('Pending, or how it ended.'),
    is_open: z
      .boolean()
      .describe('Whether it can be accepted: it is pending, its product is published, and the two work together.'),
    product_id: Id,
    product_name: z.string(),
    image_url: z.string().nullable(),
    developer_id: Id.describe('The developer’s id.'),
    developer_name: z.string().describe('What the developer is called.'),
    developer_time_zone: z.string().describe('The zone of the days in `accepted`.'),
    reseller_id: Id.describe('The id of the partnership.'),
    reseller_name: z.string(),
    reseller_time_zone: z.string().describe('The zone of the days that were asked for.'),
    price: z.number().describe('The price that was asked for, in US dollars.'),
    ...terms,
    note: z.string().nullable().describe('The reseller’s note; null: none.'),
    answer: z.string().nullable().describe('Why it was declined; null: it was not.'),
    accepted: z
      .object({
        batch_id: Id,
        price: z.number().describe('In US dollars.'),
        ...terms,
        batch_tag: z.string().nullable(),
      })
      .nullable()
      .describe(
        'The terms that the developer accepted, which may differ from those asked for; null: none, or deleted.',
      ),
    created_at: Time,
    answered_at: Time.nullable(),
    seen: z.boolean().describe('Whether the reseller has taken note of the answer.'),
  })
  .meta({ id: 'DealRequest' });
export type DealRequestView = z.output<typeof DealRequestView>;

export const DealRequestsQuery = z.object({
  status: Status.optional().describe(
    'Only requests in this state. Pending ones that can no longer be accepted are not among the pending ones.',
  ),
  ...COUNTED_PAGE,
});
export type DealRequestsQuery = z.output<typeof DealRequestsQuery>;
export const OwnDealRequestsQuery = DealRequestsQuery.extend({
  unseen: Flag.describe('Only answers that were not taken note of yet.'),
});
export type OwnDealRequestsQuery = z.output<typeof OwnDealRequestsQuery>;
export const DealRequestPage = z
  .object({ rows: z.array(DealRequestView), total: z.int(), next_cursor: z.string().nullable() })
  .meta({ id: 'DealRequestPage' });

/** Deals or requests for them have changed. */
export const DealsEvent = z.object({
  type: z.literal('deals'),
  data: z.object({
    pending: z
      .int()
      .describe('A developer’s requests to answer, or a reseller’s answers to take note of; at most 100.'),
  }),
});
export type DealsEvent = z.output<typeof DealsEvent>;
