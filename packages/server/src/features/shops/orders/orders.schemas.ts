import { z } from 'zod';
import { dataOf } from '#platform/access/withhold.ts';
import { choiceCounts, choiceParam } from '#platform/db/statements/choices.ts';
import { COUNTED_PAGE, DateRange, Id, Search, Time } from '#platform/http/schemas.ts';
import { parseEmail } from '#platform/text/email-address.ts';
import { shopKinds } from '../connections/connections.schemas.ts';
import { linesOf, saleFields, saleLine } from '../connectors/sale.schemas.ts';
import { deliveryStates } from '../inbound/deliveries.schemas.ts';
import { rateSources } from '../money.ts';
import { orderStates, reasonNames, reversalKinds, reversalStates, unitStates } from './states.ts';

const State = z
  .enum(orderStates)
  .describe(
    '`seen`: only a refund of it came. `pending`: not paid. `paid`: some serials are missing. `issued`: it has all of them. `attention`: somebody has to look at it.',
  );
const Money = z.string().describe('As a decimal text, without tax.');

const summary = {
  id: Id,
  shop_id: Id.describe('The shop.'),
  shop_name: z.string().describe('What you call the shop.'),
  kind: z.enum(shopKinds).describe('Which shop it is.'),
  external_id: z.string().describe('The shop’s id of it.'),
  number: z.string().describe('As people call it.'),
  state: State,
  reasons: z
    .array(
      z.object({
        reason: z.enum(reasonNames).describe('Which it is.'),
        text: z.string().describe('The same in words.'),
      }),
    )
    .describe('What is to be looked at, or to be known.'),
  test: z.boolean().describe('Whether it is a try, which issues test codes that count nowhere.'),
  email: dataOf('people', z.string().nullable()).describe('The customer’s email address; null: none, or erased.'),
  first_name: dataOf('people', z.string().nullable()),
  last_name: dataOf('people', z.string().nullable()),
  country: z.string().nullable().describe('The customer’s country; null: not told.'),
  currency: z.string().nullable().describe('What was paid in; null: not known yet.'),
  paid: Money.nullable().describe('What was paid without tax, as a decimal text; null: not known yet.'),
  paid_usd: z.number().nullable().describe('The same in dollars; null: not known.'),
  serials: z.int().describe('Serials that it has.'),
  missing: z.int().describe('Serials that it waits for.'),
  paid_at: Time.nullable().describe('When it was paid; null: it is not.'),
  received_at: Time.describe('When it was first heard of.'),
  issued_at: Time.nullable().describe('When it first got serials; null: it has not.'),
};

export const OrderRow = z.object(summary).meta({ id: 'ShopOrderRow' });
export type OrderRow = z.output<typeof OrderRow>;

export const OrderPage = z
  .object({
    rows: z.array(OrderRow).describe('Newest first.'),
    total: z.int().describe('How many match, counted up to 10,000.'),
    total_exact: z.boolean().describe('If false, there are more than `total`: not all were counted.'),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'ShopOrderPage' });

/** Filters that combine: each of them must fit. */
export const orderChoices = {
  state: choiceParam(`\`${orderStates.join('`, `')}\``),
  shop: choiceParam('Ids of shops'),
};
export type OrderKind = keyof typeof orderChoices;
export const orderKinds = Object.keys(orderChoices) as OrderKind[];

const filter = {
  ...orderChoices,
  search: Search.describe('The whole number of an order, or the whole email address of its customer.'),
  dateRange: DateRange.describe('The days on which they were first heard of.'),
  shop_id: Id.optional().describe('Only orders of this shop.'),
  serial: Id.optional().describe('Only the order that this serial was sold in.'),
};
export const AllOrdersQuery = z.object({ ...filter, ...COUNTED_PAGE });
export const OrdersQuery = AllOrdersQuery.omit({ shop: true, shop_id: true });
export type OrdersQuery = z.output<typeof AllOrdersQuery>;
export const OrderChoicesQuery = z.object(filter);
export type OrderChoicesQuery = z.output<typeof OrderChoicesQuery>;
export const OrderChoiceCounts = z
  .object({ state: choiceCounts('States'), shop: choiceCounts('Shops') })
  .meta({ id: 'ShopOrderChoices' });

const Unit = z.object({
  id: Id,
  product_id: Id.describe('The product.'),
  state: z
    .enum(unitStates)
    .describe(
      '`waiting`: for a serial. `issued`: it has one that was not emailed. `delivered`: its code was emailed, by us or in a note of the shop. `kept`: refunded, and the customer keeps it.',
    ),
  code: dataOf('codes', z.string().nullable()).describe('Its code; null: none yet.'),
  serial_id: Id.nullable().describe('Its serial; null: none, a test code, or of a reseller’s draw.'),
  draw: z.string().nullable().describe('The reference of the reseller’s draw that handed it out; null: none did.'),
  paid_usd: z.number().nullable().describe('What was paid for it in dollars; null: not known.'),
  refunded_usd: z.number().describe('What of that was given back, in dollars.'),
});

export const Order = z
  .object({
    ...summary,
    note: z.string().nullable().describe('Your own.'),
    pickup_code: dataOf('codes', z.string().nullable()).describe(
      'For the customer of an order without an email address, who enters it with one on your redemption page; null: it has one.',
    ),
    duplicate_of: z
      .object({
        id: Id,
        number: z.string().describe('As people call it.'),
        shop_name: z.string().describe('What you call its shop.'),
      })
      .nullable()
      .describe('The order of another shop that is the same sale; null: none is known.'),
    found_at: Time.nullable().describe(
      'When its payment was found in the shop’s own list, which the shop has not reported up to now; null: it has, or it was recorded here.',
    ),
    lines: z
      .array(
        z.object({
          id: z.string().describe('The shop’s id of it.'),
          sku: z.string().nullable().describe('The SKU; null: it has none.'),
          name: z.string().describe('What the shop calls it.'),
          keys: z.array(z.string()).describe('Under which of them it can be mapped, the closest first.'),
          quantity: z.int().describe('How many of it, in the newest version of the order.'),
          paid_quantity: z.int().describe('The most that was ever paid for.'),
          currency: z.string().describe('What was paid in.'),
          paid: Money,
          paid_usd: z.number().nullable().describe('The same in dollars; null: not known.'),
          rate: z.string().nullable().describe('Dollars for one of the currency; null: none was used.'),
          rate_source: z
            .enum(rateSources)
            .describe('`shop`: the shop knows what it is in dollars. `list`: nobody knows, and the list price counts.'),
          product_ids: z.array(Id).nullable().describe('What it was sold as; null: it is not mapped.'),
          units: z.array(Unit).describe('What it gives.'),
        }),
      )
      .describe('The lines.'),
    products: z
      .array(z.object({ id: Id, name: z.string().nullable().describe('Its name; null: it was deleted.') }))
      .describe('The products that it gives serials of.'),
    reversals: z
      .array(
        z.object({
          id: Id,
          key: z.string().describe('The shop’s id of the refund or the dispute.'),
          kind: z.enum(reversalKinds).describe('What it is.'),
          state: z.enum(reversalStates).describe('`seen`: it waits for its sale. `asked`: somebody has to decide.'),
          whole: z.boolean().describe('Whether it is of everything.'),
          lines: z
            .array(z.object({ id: z.string().describe('The line.'), quantity: z.int().describe('How many of it.') }))
            .nullable()
            .describe('Of these lines; null: it names none.'),
          amount: z.string().nullable().describe('The amount, as a decimal text; null: not told.'),
          happened_at: Time.describe('When it happened.'),
          found_at: Time.nullable().describe(
            'When it was found in the shop’s own list, which the shop has not reported up to now; null: it has.',
          ),
        }),
      )
      .describe('What was taken back, or given again.'),
    deliveries: z
      .array(
        z.object({
          id: Id,
          event: z.string().describe('What it reports, in the shop’s words.'),
          state: z.enum(deliveryStates).describe('Its state.'),
          why: z.string().nullable().describe('Why it was ignored or could not be used; null: it was used.'),
          received_at: Time.describe('When it came.'),
        }),
      )
      .describe('What came about it, newest first, at most 100.'),
  })
  .meta({ id: 'ShopOrder' });
export type Order = z.output<typeof Order>;
export const OrderAnswer = z.object({ order: Order.describe('The order.') }).meta({ id: 'ShopOrderAnswer' });

export const SaleBody = z
  .strictObject({
    ...saleFields,
    shop_id: Id.optional().describe(
      'The shop of kind `other` that sold it. Default: none, as for what is recorded by hand.',
    ),
    paid_at: Time.optional().describe('When it was paid. Default: now.'),
    lines: linesOf(
      z.strictObject({
        ...saleLine,
        product_ids: z
          .array(Id)
          .min(1)
          .max(20)
          .refine((ids) => new Set(ids).size === ids.length, 'Name each product once.')
          .optional()
          .describe('What it is, where its `sku` is not mapped.'),
      }),
    ).describe('What was sold, each line with an id of its own.'),
  })
  .meta({ id: 'RecordSale' });
export type SaleForm = z.output<typeof SaleBody>;

export const RecordedSale = z
  .object({
    order_id: Id.describe('The order.'),
    serials: z
      .array(
        z.object({
          code: dataOf('codes', z.string()),
          product_id: Id.describe('The product.'),
          line: z.string().describe('The line that it is of.'),
        }),
      )
      .describe('What it gave.'),
    waiting: z
      .array(
        z.object({
          line: z.string().describe('The line.'),
          why: z.enum(reasonNames).describe('What it waits for.'),
        }),
      )
      .describe('Lines whose serials are missing.'),
  })
  .meta({ id: 'RecordedSale' });
export type RecordedSale = z.output<typeof RecordedSale>;

export const OrderDecisionBody = z
  .strictObject({
    answer: z
      .enum(['keep', 'take'])
      .describe('`keep`: the customer keeps what was refunded. `take`: its serials are revoked.'),
    unit_ids: z
      .array(Id)
      .min(1)
      .max(500)
      .optional()
      .describe('Only of these units. Default: all that are asked about, and whatever else is to be looked at.'),
  })
  .meta({ id: 'DecideShopOrder' });
export type OrderDecisionForm = z.output<typeof OrderDecisionBody>;

export const OrderChangeBody = z
  .strictObject({
    email: z
      .string()
      .trim()
      .max(300)
      .refine((text) => parseEmail(text) !== null, 'Enter a valid email address.')
      .optional()
      .describe('Where its codes are sent from now on. A serial that is redeemed stays with its customer.'),
    note: z
      .string()
      .trim()
      .max(2000, 'Use at most 2,000 characters.')
      .nullable()
      .optional()
      .describe('Your own note; null: none.'),
  })
  .refine((body) => body.email !== undefined || body.note !== undefined, 'Send at least one field.')
  .meta({ id: 'UpdateShopOrder' });
export type OrderChangeForm = z.output<typeof OrderChangeBody>;

export const DeliveryParams = z.object({ id: Id, delivery_id: Id.describe('What was sent.') });
