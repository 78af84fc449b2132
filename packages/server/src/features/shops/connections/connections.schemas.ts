import { z } from 'zod';
import { oneLine } from '#platform/http/input/control-characters.ts';
import { Id, Time } from '#platform/http/schemas.ts';

export const shopKinds = [
  'shopify',
  'woocommerce',
  'fastspring',
  'stripe',
  'paddle',
  'lemonsqueezy',
  'gumroad',
  'other',
] as const;
export type ShopKind = (typeof shopKinds)[number];
export const shopModes = ['live', 'test'] as const;
export type ShopMode = (typeof shopModes)[number];
export const shopStates = ['active', 'attention', 'off'] as const;
export type ShopState = (typeof shopStates)[number];
const deliverings = ['us', 'shop'] as const;
export type Delivering = (typeof deliverings)[number];
const refundAnswers = ['ask', 'revoke', 'keep'] as const;
export type OnRefund = (typeof refundAnswers)[number];
const disputeAnswers = ['suspend', 'revoke'] as const;
export type OnDispute = (typeof disputeAnswers)[number];
const duplicateAnswers = ['warn', 'hold', 'ignore'] as const;
export type OnDuplicate = (typeof duplicateAnswers)[number];

const Name = oneLine().min(1, 'Enter a name.').max(100, 'Use at most 100 characters.').describe('What you call it.');
const Mode = z.enum(shopModes).describe('`test`: its orders issue test codes that count nowhere.');
const Deliver = z
  .enum(deliverings)
  .describe(
    'Who gives the codes to the customer: `us`, by email, or the `shop`: FastSpring in its receipt, WooCommerce in a customer note, Stripe and Lemon Squeezy by the link to `order_page`, `other` as its program does. Other kinds can’t.',
  );
const Refunded = z
  .enum(refundAnswers)
  .describe(
    'The answer to a partial refund of an order whose serials are redeemed: `ask` you, `revoke` or `keep` them. Serials that nobody has redeemed are always revoked.',
  );
const Disputed = z.enum(disputeAnswers).describe('`suspend` or `revoke` serials while their payment is disputed.');
const Duplicated = z
  .enum(duplicateAnswers)
  .describe(
    'The answer to an order that another of your shops has brought already. `warn`: it is issued, and you are told. `hold`: it waits for you. `ignore`: it is an order like any other.',
  );
const Secret = z
  .string()
  .trim()
  .min(8, 'Paste the whole secret.')
  .max(500, 'This is too long for a secret.')
  .regex(/^[\x21-\x7e]+$/, 'A secret has no spaces.')
  .describe('The secret that the shop shows. For `other` we make it.');

export const ShopBody = z
  .strictObject({
    kind: z.enum(shopKinds).describe('Which shop it is; `other`: one that signs as Standard Webhooks does.'),
    name: Name,
    mode: Mode.default('live'),
    secret: Secret.optional(),
    delivery: Deliver.default('us'),
    on_refund: Refunded.default('ask'),
    on_dispute: Disputed.default('suspend'),
    on_duplicate: Duplicated.default('warn'),
  })
  .meta({ id: 'CreateShop' });
export type ShopForm = z.output<typeof ShopBody>;

export const ShopChangeBody = z
  .strictObject({
    name: Name.optional(),
    mode: Mode.optional(),
    secret: Secret.optional().describe('The secret that the shop shows, at once and without an overlap.'),
    delivery: Deliver.optional(),
    on_refund: Refunded.optional(),
    on_dispute: Disputed.optional(),
    on_duplicate: Duplicated.optional(),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), 'Send at least one field.')
  .meta({ id: 'UpdateShop' });
export type ShopChange = z.output<typeof ShopChangeBody>;

const Opening = z
  .string()
  .trim()
  .min(1, 'Required.')
  .max(500, 'This is too long.')
  .regex(/^[\x21-\x7e]+$/, 'Paste it without spaces.');
export const ShopCredentialsBody = z
  .strictObject({
    address: Opening.optional().describe(
      'The shop’s own address, such as `https://shop.example.com` (WooCommerce) or `shop.myshopify.com` (Shopify).',
    ),
    key: Opening.optional().describe(
      'The API key; of a pair its first part, such as the consumer key or the user name.',
    ),
    secret: Opening.optional().describe('The second part of a pair, such as the consumer secret or the password.'),
    license_key: Opening.optional().describe(
      'The private key of FastSpring’s license call, which asks for a code while the customer waits.',
    ),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), 'Send at least one field.')
  .meta({ id: 'ShopCredentials' });
export type ShopCredentialsForm = z.output<typeof ShopCredentialsBody>;

export const RotateShopBody = z
  .strictObject({
    overlap_hours: z
      .int()
      .min(1, 'Use 1 to 168 hours.')
      .max(168, 'Use 1 to 168 hours.')
      .default(24)
      .describe('For how long the old secret is accepted beside the new one.'),
    secret: Secret.optional().describe('The new secret, which the shop shows. For `other` we make it.'),
  })
  .meta({ id: 'RotateShopSecret' });
export type RotateShopForm = z.output<typeof RotateShopBody>;

export const ShopView = z
  .object({
    id: Id,
    kind: z.enum(shopKinds).describe('Which shop it is.'),
    name: z.string().describe('What you call it.'),
    mode: Mode,
    state: z
      .enum(shopStates)
      .describe(
        '`attention`: it works, and something about it has to be looked at. `off`: what comes is kept, and waits.',
      ),
    trouble: z.string().nullable().describe('What has to be looked at, in words; null: nothing.'),
    address: z.string().describe('The whole address to paste into the shop.'),
    order_page: z
      .string()
      .nullable()
      .describe(
        'Where customers enter the number of their order to have its codes emailed: for the page or the email that the shop shows after a sale, with its own placeholder for the number. Null: a reseller has none.',
      ),
    has_credentials: z
      .boolean()
      .describe('Whether the shop’s API is opened, which is asked for what its events leave out. Never shown again.'),
    has_secret: z.boolean().describe('Whether it has a secret. Without one, whatever comes is refused.'),
    rotates_until: Time.nullable().describe('Until when the old secret is accepted too; null: there is only one.'),
    delivery: Deliver,
    on_refund: Refunded,
    on_dispute: Disputed,
    on_duplicate: Duplicated,
    last_event_at: Time.nullable().describe('When something came that was signed; null: nothing has.'),
    refused_at: Time.nullable().describe('When something was last refused; null: nothing was.'),
    refused_why: z.string().nullable().describe('Why that was refused, in words.'),
    waiting: z.int().describe('Deliveries that are not worked on yet; counted up to 1,000.'),
    unmapped: z.int().describe('What it sells without being known as a product here.'),
    last_reconciled_at: Time.nullable().describe('When the shop’s own list was last compared; null: it was not.'),
    missed: z
      .object({
        orders: z.int().describe('Sales that were found there; counted up to 1,000.'),
        refunds: z.int().describe('Orders of which a refund or a dispute was found there; counted up to 1,000.'),
        last_at: Time.nullable().describe('When the last of them was found; null: there is none.'),
      })
      .nullable()
      .describe(
        'What its own list had in the last 30 days that it has not reported up to now. Null: the list was not compared.',
      ),
    created_at: Time,
  })
  .meta({ id: 'Shop' });
export type ShopView = z.output<typeof ShopView>;

export const Shops = z
  .object({
    shops: z.array(ShopView).describe('The shops, newest first.'),
    kinds: z.array(z.enum(shopKinds)).describe('Which kinds of shops can be connected.'),
  })
  .meta({ id: 'ShopList' });
export const NewShop = z
  .object({
    shop: ShopView.describe('The shop.'),
    secret: z.string().optional().describe('The secret that we made, as `whsec_…`. It is never shown again.'),
  })
  .meta({ id: 'NewShop' });
