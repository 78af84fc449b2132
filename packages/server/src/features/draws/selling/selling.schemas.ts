import { z } from 'zod';
import { dataOf } from '#platform/access/withhold.ts';
import { Cursor, Id, Limit, MOMENT, Moment, Search, Time } from '#platform/http/schemas.ts';
import { hasTwoDecimals } from '#platform/money.ts';
import { Email } from '#platform/text/email-address.ts';
import { LANGUAGES } from '#platform/text/languages.ts';
import { Reference } from '../draws.schemas.ts';

/** The stock of one price is counted up to this: nobody at a till needs more. */
export const MOST_COUNTED = 1000;
const MAX_PRICE = 1_000_000;

export const Offer = z
  .object({
    product_id: Id,
    product_name: z.string(),
    developer_id: Id.describe('The developer of the product.'),
    developer_name: z.string().describe('The developer’s company or name.'),
    developer_time_zone: z.string().describe('The zone of the day until which codes can be sold.'),
    image_url: z.string().nullable(),
    price: z.number().describe('What a code of the offer costs the customer now, in US dollars.'),
    regular_price: z.number().nullable().describe('The product’s price where the offer is below it; null: it is not.'),
    available: z.int().describe(`Codes that can be sold at this price now. ${MOST_COUNTED} means that many, or more.`),
    sell_until: Time.nullable().describe('When the first of these codes may no longer be sold; null: no end.'),
  })
  .meta({
    id: 'Offer',
    description:
      'A product at one price. A product whose deals and regular codes have several prices is several offers.',
  });
export type Offer = z.output<typeof Offer>;

export const OfferPage = z
  .object({ rows: z.array(Offer), next_cursor: z.string().nullable() })
  .meta({ id: 'OfferPage' });

export const ListOffersQuery = z.object({
  product_id: Id.optional().describe('Only offers of this product.'),
  search: Search.describe('Product or developer.'),
  limit: Limit,
  cursor: Cursor,
});

const Note = z
  .string()
  .trim()
  .max(200)
  .regex(/^[^\p{Cc}]*$/u, 'Use one line.')
  .nullish()
  .transform((text) => text || null);

const Language = z
  .enum(LANGUAGES)
  .optional()
  .describe('The language of the email, unless the customer has redeemed in another one before. Default: English.');

export const SellBody = z
  .strictObject({
    product_id: Id,
    reference: Reference.describe(
      'The shop’s own name for the sale. The same reference with the same body is the same sale, so a call whose answer was lost is simply repeated.',
    ),
    price: z
      .number()
      .min(0)
      .max(MAX_PRICE)
      .refine(hasTwoDecimals, 'Use at most two decimals.')
      .optional()
      .describe(
        'What the customer was told, in US dollars: only a code at exactly this price is sold. Default: whatever the next code costs.',
      ),
    email: Email.nullish()
      .transform((address) => address || null)
      .describe('Where the code is sent; null: nowhere.'),
    note: Note.describe('The reseller’s own, such as a booth or a receipt. Nobody else sees it.'),
    language: Language,
  })
  .meta({ id: 'SellSerial' });
export type SellForm = z.output<typeof SellBody>;

const State = z
  .enum(['handed_out', 'redeemed', 'revoked', 'returned'])
  .describe(
    '`handed_out`: the customer has it and has not redeemed it. `revoked`: by the developer. `returned`: the sale was undone, and the code may be another customer’s.',
  );

const sale = {
  reference: z.string().describe('The shop’s own name for the sale.'),
  developer_id: Id.describe('The developer of the product.'),
  developer_name: z.string().describe('The developer’s company or name.'),
  developer_time_zone: z.string().describe('The zone of the day until which the code can be redeemed.'),
  product_id: Id,
  product_name: z.string().nullable().describe('Null: the product was deleted.'),
  price: z.number().describe('What it cost when it was sold, in US dollars.'),
  code: dataOf('codes', z.string()),
  expires_at: Time.nullable().describe('By when the code has to be redeemed; null: no limit.'),
  state: State,
  redeemed_at: Time.nullable().describe('When a customer redeemed it; null: nobody has.'),
  returned_at: Time.nullable().describe('When it was returned; null: it was not.'),
  note: z.string().nullable().describe('The reseller’s own.'),
  email: z
    .object({
      address: dataOf('people', z.string().nullable()).describe(
        'Empty after 30 days, and after the customer was erased.',
      ),
      state: z
        .enum(['queued', 'sent', 'failed'])
        .describe('`sent`: the mail server took it. `failed`: delivery was given up.'),
    })
    .nullable()
    .describe('The newest email with the code; null: none was sent.'),
  sold_at: Time.describe('When it was sold.'),
};

export const Sale = z
  .object({
    ...sale,
    redeem_url: z.string().describe('Opens the redemption page with the code filled in.'),
    qr_svg: z.string().describe('`redeem_url` as a QR code, black on white.'),
  })
  .meta({ id: 'HandSale' });
export type Sale = z.output<typeof Sale>;

export const SaleRow = z.object(sale).meta({ id: 'HandSaleRow' });
export type SaleRow = z.output<typeof SaleRow>;

export const ListSalesQuery = z.object({
  since: Moment.optional().describe(
    `Only sales since then: ${MOMENT}. Default: since today began in the account’s time zone.`,
  ),
  limit: Limit,
  cursor: Cursor,
});

export const SalePage = z
  .object({
    rows: z.array(SaleRow),
    since: Time.describe('The moment since which sales are listed and added up.'),
    totals: z
      .object({
        sales: z.int().describe('All of them, without those that were returned.'),
        revenue: z.number().describe('What they cost together, in US dollars, without those that were returned.'),
        returned: z.int().describe('Those that were returned.'),
      })
      .describe('Of all pages.'),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'HandSalePage' });

export const EmailSaleBody = z
  .strictObject({ email: Email.describe('Where the code is sent.'), language: Language })
  .meta({ id: 'EmailHandSale' });
export type EmailSaleForm = z.output<typeof EmailSaleBody>;
