import { z } from 'zod';
import { Id, Time } from '#platform/http/schemas.ts';

const dollars = (what: string) => z.number().describe(`${what}, in dollars.`);
const Email = z
  .string()
  .describe('The customer’s email address. Only for webhooks with `include_personal`.')
  .optional();
const FirstName = z.string().nullish().describe('Only for webhooks with `include_personal`.');
const LastName = z.string().nullish().describe('Only for webhooks with `include_personal`.');

const serial = {
  serial_id: Id.describe('The serial.'),
  code: z
    .string()
    .optional()
    .describe('Its code; absent where `include_codes` is false, and for an access token that may not read codes.'),
  product_id: Id.describe('The product.'),
};
const license = {
  serial_id: Id.describe('The serial.'),
  product_id: Id.describe('The product.'),
  machine: z.string().describe('The first characters of the machine’s id.'),
};
const partnership = {
  partnership_id: Id.describe('The partnership.'),
  developer_id: Id.describe('The developer.'),
  reseller_id: Id.nullable().describe('The reseller; null: without an account.'),
};
const payout = {
  payout_id: Id.describe('The statement.'),
  number: z.string().describe('Its number, such as `2026-0007`.'),
  developer_id: Id.describe('The developer.'),
  partnership_id: Id.describe('The partnership.'),
  month: z.string().describe('The first day of its month (UTC).'),
  due: dollars('What the reseller owes for the month'),
};

const order = {
  order_id: Id.describe('The order.'),
  shop_id: Id.describe('The shop.'),
  number: z.string().describe('As people call it.'),
  state: z.string().describe('Its state, such as `issued`.'),
  currency: z.string().nullable().describe('What was paid in; null: not known yet.'),
  paid: z.string().nullable().describe('What was paid without tax, as a decimal text; null: not known yet.'),
  paid_usd: z.number().nullable().describe('The same in dollars; null: not known.'),
  serials: z.int().describe('Serials that it has.'),
  missing: z.int().describe('Serials that it waits for.'),
  reasons: z.array(z.string()).describe('What is to be looked at, such as `unmapped`.'),
  test: z.boolean().describe('Whether it is a try.'),
  email: Email,
  first_name: FirstName,
  last_name: LastName,
};

/** All events: the type, what it means in words, who gets it, and its data. Ids come first. */
export const catalog = {
  'batch.generated': {
    about:
      'A batch of serials was generated or imported. An import that makes more than 1,000 batches is told of by import.finished alone.',
    for: ['developer'],
    data: z.object({
      batch_id: Id.describe('The batch.'),
      product_id: Id.describe('The product.'),
      partnership_id: Id.nullable().describe('The partnership of the reseller that sells it; null: none.'),
      quantity: z.int().describe('How many serials.'),
      batch_tag: z.string().nullable().describe('Its tag.'),
    }),
  },
  'batch.revoked': {
    about:
      'The open serials of a batch were revoked at once, or with their product all that it had sold. There is no event for each of them.',
    for: ['developer'],
    data: z.object({
      batch_id: Id.describe('The batch.'),
      product_id: Id.describe('The product.'),
      quantity: z.int().describe('How many serials.'),
    }),
  },
  'batch.reassigned': {
    about: 'What batch.revoked told of was undone. There is no event for each serial.',
    for: ['developer'],
    data: z.object({
      batch_id: Id.describe('The batch.'),
      product_id: Id.describe('The product.'),
      quantity: z.int().describe('How many serials.'),
    }),
  },
  'serial.redeemed': {
    about: 'A serial was redeemed. A reseller gets its own sales, without the customer.',
    for: ['developer', 'reseller'],
    data: z.object({
      ...serial,
      developer_id: Id.describe('The developer.'),
      customer_id: Id.nullable().describe('The customer; null for a reseller.'),
      partnership_id: Id.nullable().describe('The partnership of the reseller that sold it; null: none.'),
      product_name: z.string().describe('The product’s name.'),
      source: z.enum(['redeem', 'activation']).describe('By the redemption page, or by the first activation.'),
      price: dollars('The final price'),
      commission: dollars('The reseller’s commission'),
      redeemed_at: Time.describe('When.'),
      email: Email,
      first_name: FirstName,
      last_name: LastName,
    }),
  },
  'serial.revoked': {
    about: 'A serial was revoked.',
    for: ['developer'],
    data: z.object({ ...serial, revoked_at: Time.describe('When.') }),
  },
  'serial.reassigned': {
    about: 'The revocation of a serial was undone.',
    for: ['developer'],
    data: z.object({ ...serial, reassigned_at: Time.describe('When.') }),
  },
  'serial.refreshed': {
    about: 'The downloads of a serial were refreshed.',
    for: ['developer'],
    data: z.object({ ...serial, cost: dollars('What it cost'), refreshed_at: Time.describe('When.') }),
  },
  'import.finished': {
    about: 'An import ended, with or without success.',
    for: ['developer'],
    data: z.object({
      import_id: Id.describe('The import.'),
      kind: z.string().describe('What was imported.'),
      state: z.string().describe('How it ended.'),
      added: z.int().describe('Lines that were added.'),
      rejected: z.int().describe('Lines that were rejected.'),
    }),
  },
  'stock.low': {
    about: 'A product has fewer available serials than its threshold, in all or at a reseller.',
    for: ['developer', 'reseller'],
    data: z.object({
      product_id: Id.describe('The product.'),
      developer_id: Id.describe('The developer.'),
      partnership_id: Id.nullable().describe('The partnership whose stock is low; null: the developer’s own.'),
      product_name: z.string().describe('The product’s name.'),
      available: z.int().describe('How many are left.'),
      threshold: z.int().describe('The threshold.'),
    }),
  },
  'license.activated': {
    about: 'A machine took a new seat.',
    for: ['developer'],
    data: z.object({ ...license, version: z.string().nullable().describe('The plugin’s version.') }),
  },
  'license.deactivated': {
    about: 'A plugin gave up its seat, somebody released it, or two machines turned out to be one.',
    for: ['developer'],
    data: z.object(license),
  },
  'license.transferred': {
    about: 'A seat moved from one machine to another.',
    for: ['developer'],
    data: z.object({ ...license, from_machine: z.string().describe('The first characters of the old machine’s id.') }),
  },
  'trial.started': {
    about: 'A machine began a trial.',
    for: ['developer'],
    data: z.object({
      product_id: Id.describe('The product.'),
      machine: z.string().describe('The first characters of the machine’s id.'),
      ends_at: Time.describe('When it ends.'),
    }),
  },
  'license.refused': {
    about:
      'License calls or redemptions of a minute were refused, with the commonest of them. Only for webhooks that ask for it by its name.',
    for: ['developer'],
    data: z.object({
      count: z.int().describe('How many were refused in that minute.'),
      from: Time.describe('When the minute began.'),
      refusals: z
        .array(
          z.object({
            serial_id: Id.nullable().describe('The serial; null: none was found.'),
            product_id: Id.nullable().describe('The product; null: none was found.'),
            action: z.string().describe('The call, such as `activate`.'),
            status: z.string().describe('Why, as the plugin was told.'),
            count: z.int().describe('How often.'),
          }),
        )
        .describe('The commonest, at most 20.'),
    }),
  },
  'lease.ended': {
    about: 'The lease of an offline license ended, and its seat is free again.',
    for: ['developer'],
    data: z.object({ ...license, ended_at: Time.describe('When the lease ended.') }),
  },
  'customer.created': {
    about:
      'A customer is new, by a first redemption or because somebody handed a serial over. An import has one event for all.',
    for: ['developer'],
    data: z.object({
      customer_id: Id.describe('The customer.'),
      email: Email,
      first_name: FirstName,
      last_name: LastName,
    }),
  },
  'customer.erased': {
    about: 'The personal data of a customer were erased: erase what you keep of them, too.',
    for: ['developer'],
    data: z.object({ customer_id: Id.describe('The customer.') }),
  },
  'product.published': {
    about: 'A product was published: a draft, or one that was created as it is to be.',
    for: ['developer'],
    data: z.object({ product_id: Id.describe('The product.'), name: z.string().describe('Its name.') }),
  },
  'product.unlocked': {
    about: 'The unlock for good of a product was published, or opened from its owners to everyone.',
    for: ['developer'],
    data: z.object({
      product_id: Id.describe('The product.'),
      name: z.string().describe('Its name.'),
      audience: z.enum(['owners', 'everyone']).describe('Who can have it.'),
      url: z.string().describe('Where its file is.'),
    }),
  },
  'file.uploaded': {
    about: 'A product file was uploaded.',
    for: ['developer'],
    data: z.object({
      file_id: Id.describe('The file.'),
      name: z.string().describe('Its name.'),
      size: z.int().describe('Its bytes.'),
    }),
  },
  'partnership.accepted': {
    about: 'An invitation was accepted: the two are partners.',
    for: ['developer', 'reseller'],
    data: z.object(partnership),
  },
  'partnership.ended': {
    about: 'A partnership was ended.',
    for: ['developer', 'reseller'],
    data: z.object(partnership),
  },
  'deal.requested': {
    about: 'A reseller requested a deal.',
    for: ['developer', 'reseller'],
    data: z.object({
      request_id: Id.describe('The request.'),
      product_id: Id.describe('The product.'),
      partnership_id: Id.describe('The partnership.'),
      developer_id: Id.describe('The developer.'),
      quantity: z.int().describe('How many serials.'),
      price: dollars('The price of one').nullable(),
    }),
  },
  'payout.created': {
    about: 'The statement of a month was made.',
    for: ['developer', 'reseller'],
    data: z.object(payout),
  },
  'payout.confirmed': {
    about: 'A reseller confirmed a statement.',
    for: ['developer', 'reseller'],
    data: z.object(payout),
  },
  'payout.paid': {
    about: 'A developer recorded a payment.',
    for: ['developer', 'reseller'],
    data: z.object({ ...payout, amount: dollars('What was paid'), outstanding: dollars('What is left') }),
  },
  'plan.usage': {
    about: 'The month’s redemptions came to 80 or to 100 percent of the plan’s quota.',
    for: ['developer'],
    data: z.object({
      plan: z.string().describe('The plan’s stable name.'),
      month: z.string().describe('The first day of the month (UTC).'),
      percent: z.int().describe('80 or 100.'),
      redemptions: z.int().describe('How many there were.'),
      redemption_quota: z.int().describe('How many are free.'),
    }),
  },
  'order.received': {
    about: 'A shop reported an order for the first time.',
    for: ['developer'],
    data: z.object(order),
  },
  'order.issued': {
    about: 'An order has all of its serials.',
    for: ['developer'],
    data: z.object(order),
  },
  'order.attention': {
    about: 'Somebody has to look at an order.',
    for: ['developer'],
    data: z.object(order),
  },
  'order.refunded': {
    about: 'An order was refunded or disputed, as a whole or in part: serials of it were taken back.',
    for: ['developer'],
    data: z.object(order),
  },
  'key.rotated': {
    about: 'A plugin key was rotated.',
    for: ['developer'],
    data: z.object({
      key_id: Id.describe('The old key.'),
      successor_id: Id.describe('The new key.'),
      label: z.string().describe('The label of the new key.'),
      expires_at: Time.describe('When the old key stops working.'),
    }),
  },
  'webhook.test': {
    about: 'A test, sent by hand.',
    for: ['developer', 'reseller'],
    data: z.object({
      endpoint_id: Id.nullable().describe('The webhook that it was sent to; null: all of them.'),
      message: z.string().describe('A greeting.'),
    }),
  },
} as const satisfies Record<string, { about: string; for: readonly ('developer' | 'reseller')[]; data: z.ZodObject }>;

export type EventType = keyof typeof catalog;
export type EventData<Type extends EventType> = z.output<(typeof catalog)[Type]['data']>;

export const eventTypes = Object.keys(catalog) as [EventType, ...EventType[]];
const families = [...new Set(eventTypes.map((type) => `${type.split('.')[0]}.*`))];

/** The patterns that an endpoint can ask for: types, whole families, or everything. */
export const eventPatterns = ['*', ...families, ...eventTypes] as [string, ...string[]];

/** Types that can come every minute: they are sent only to endpoints that ask for them by name. */
export const byNameOnly: readonly EventType[] = ['license.refused'];

/** The patterns of endpoints that get an event of this type. */
export const patternsFor = (type: EventType): string[] =>
  byNameOnly.includes(type) ? [type] : [type, `${type.split('.')[0]}.*`, '*'];

/** Names and addresses: kept apart, and added only for endpoints that asked for them. */
export const personalFields = ['email', 'first_name', 'last_name'] as const;
