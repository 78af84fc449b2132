import { z } from 'zod';
import { dataOf } from '#platform/access/withhold.ts';
import { COUNTED_PAGE, Id, Search, Time } from '#platform/http/schemas.ts';

const MAX_QUANTITY = 100;

// part of an address, where "." and ".." mean something else
export const Reference = z
  .string()
  .trim()
  .min(1, 'Enter a reference, such as the order’s number.')
  .max(200)
  .refine((text) => !/\p{Cc}/u.test(text) && !/^\.+$/.test(text), 'Use printable characters, and not only periods.')
  .describe('The shop’s own name for the sale, such as its order number. Unique in the shop.');

const BatchTag = z
  .string()
  .trim()
  .max(100)
  .nullish()
  .transform((value) => value || null);

export const DrawBody = z
  .strictObject({
    product_id: Id,
    quantity: z
      .int('Enter a whole number.')
      .min(1, 'Draw at least 1.')
      .max(MAX_QUANTITY, `Draw at most ${MAX_QUANTITY} at once.`)
      .default(1)
      .describe('The number of codes, at most 100.'),
    batch_tag: BatchTag.describe('Hands out only codes whose batch has this tag. Default: any that are for sale.'),
    reference: Reference,
  })
  .meta({ id: 'DrawSerials' });
export type DrawForm = z.output<typeof DrawBody>;

const draw = {
  id: Id,
  reference: z.string().describe('The shop’s own name for the sale.'),
  developer_id: Id.describe('The developer of the product.'),
  product_id: Id,
  batch_tag: z.string().nullable().describe('The tag that the draw was restricted to; null: none.'),
  quantity: z.int().describe('The number of codes.'),
  created_at: Time.describe('When the codes were handed out.'),
};
const code = {
  code: dataOf('codes', z.string()),
  expires_at: Time.nullable().describe('By when the code has to be redeemed; null: no limit.'),
};

const ReturnedAt = Time.nullable().describe(
  'When the code was returned: from then on it may be another customer’s. Null: it was not.',
);

export const Drawn = z
  .object({
    ...draw,
    codes: z.array(dataOf('codes', z.string())).describe('The codes, `quantity` of them.'),
    serials: z
      .array(z.object({ ...code, returned_at: ReturnedAt }))
      .describe('The same codes, each with what the customer should know.'),
  })
  .meta({
    id: 'Drawn',
    description: 'The same reference gets the same codes forever. Codes that were returned since have `returned_at`.',
  });
export type Drawn = z.output<typeof Drawn>;

const states = ['handed_out', 'redeemed', 'revoked', 'returned'] as const;
const State = z
  .enum(states)
  .describe(
    '`handed_out`: a customer has it and has not redeemed it. `revoked`: by the developer, redeemed or not. `returned`: back in stock.',
  );
export type DrawState = (typeof states)[number];

export const DrawRecord = z
  .object({
    ...draw,
    developer_name: z.string().describe('The developer’s company or name.'),
    developer_time_zone: z.string().describe('The zone of the days until which codes can be redeemed.'),
    product_name: z.string().nullable().describe('Null: the product was deleted.'),
    sold_for: z
      .number()
      .nullable()
      .describe('What it cost when it was sold by hand, in US dollars; null: a program drew it.'),
    note: z.string().nullable().describe('The reseller’s own, of a sale by hand.'),
    states: z
      .object({
        handed_out: z.int().describe('Codes that customers have and have not redeemed.'),
        redeemed: z.int().describe('Codes that customers have redeemed.'),
        revoked: z.int().describe('Codes that the developer has revoked, redeemed or not.'),
        returned: z.int().describe('Codes that are back in stock.'),
      })
      .describe('How many of the codes are in each state.'),
    serials: z.array(
      z.object({
        ...code,
        state: State,
        redeemed_at: Time.nullable().describe('When a customer redeemed it; null: nobody has.'),
        returned_at: Time.nullable().describe('When it was returned; null: it was not.'),
      }),
    ),
  })
  .meta({ id: 'Draw' });
export type DrawRecord = z.output<typeof DrawRecord>;

/** Serials that a shop drew, returned or took as a file. Both partners are notified. */
export const StockEvent = z.object({
  type: z.literal('stock'),
  data: z.object({
    change: z.enum(['handed_out', 'returned', 'downloaded']).describe('What happened to the codes.'),
    developer_id: Id.describe('The developer of the product.'),
    reseller_id: Id.describe('The partnership of the reseller.'),
    product_id: Id,
    codes: z.int().describe('How many.'),
  }),
});
export type StockEvent = z.output<typeof StockEvent>;

export const DrawPage = z
  .object({ rows: z.array(DrawRecord), total: z.int(), next_cursor: z.string().nullable() })
  .meta({ id: 'DrawPage' });

export const ListDrawsQuery = z.object({
  state: z.enum(states).optional().describe('Draws with at least one code in this state.'),
  product_id: Id.optional(),
  developer_id: Id.optional().describe('Only draws of this developer’s products.'),
  search: Search.describe('Part of the reference or of a code.'),
  ...COUNTED_PAGE,
});

export const DrawParams = z.object({ reference: z.string().min(1).max(400).describe('The reference of the draw.') });

export const ReturnBody = z
  .strictObject({
    codes: z
      .array(z.string().trim().min(1).max(200))
      .min(1)
      .max(MAX_QUANTITY)
      .optional()
      .describe('The codes to return. Default: all of the draw.'),
  })
  .meta({ id: 'ReturnDraw' });

export const Returned = z
  .object({
    reference: draw.reference,
    returned: z.array(z.string()).describe('Codes that are back in stock, also those returned before.'),
    not_returned: z
      .array(z.object({ code: dataOf('codes', z.string()), state: z.enum(['redeemed', 'revoked']) }))
      .describe('Codes that could not be returned, and why.'),
  })
  .meta({ id: 'ReturnedDraw' });
export type Returned = z.output<typeof Returned>;
