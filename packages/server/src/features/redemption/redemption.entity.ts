import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/index.ts';
import { Customer } from '../customers/index.ts';
import { Partnership } from '../partnerships/index.ts';
import { Product } from '../products/index.ts';
import { Serial } from '../serials/index.ts';

/** `redeem` and `activation` count as usage of a plan; `import` does not. */
export type RedemptionSource = 'redeem' | 'activation' | 'import';

/**
 * The ledger: the fact that a serial became a customer's. Rows are only ever added (a trigger refuses the rest);
 * analytics, billing, commissions and payouts are derived from them.
 */
export const Redemption = defineEntity({
  name: 'Redemption',
  tableName: 'redemptions',
  properties: {
    id: p.uuid().primary(),
    developerId: () => p.manyToOne(User).mapToPk().fieldName('developer_id'),
    serialId: () => p.oneToOne(Serial).mapToPk().fieldName('serial_id').owner().deleteRule('restrict'),
    productId: () => p.manyToOne(Product).mapToPk().fieldName('product_id'),
    partnershipId: () =>
      p.manyToOne(Partnership).mapToPk().fieldName('partnership_id').nullable().index().deleteRule('no action'),
    customerId: () => p.manyToOne(Customer).mapToPk().fieldName('customer_id').index(),
    redeemedAt: p.datetime(3),
    source: p.string().$type<RedemptionSource>(),
    finalPriceCents: p.integer(),
    commissionBps: p.integer().default(0),
    commissionCents: p.integer().default(0),
    /** ISO 3166-1 alpha-2, null when unknown. */
    country: p.text().nullable(),
  },
  indexes: [
    { name: 'redemptions_developer_time_index', properties: ['developerId', 'redeemedAt', 'id'] },
    { name: 'redemptions_product_time_index', properties: ['productId', 'redeemedAt', 'id'] },
  ],
  triggers: [
    {
      name: 'redemptions_append_only',
      timing: 'before',
      events: ['update', 'delete'],
      forEach: 'statement',
      body: "raise exception 'the ledger is append-only'",
    },
  ],
  checks: [
    { name: 'redemptions_source_check', expression: "source in ('redeem', 'activation', 'import')" },
    { name: 'redemptions_money_check', expression: 'final_price_cents >= 0 and commission_cents >= 0' },
  ],
});
export type Redemption = InferEntity<typeof Redemption>;

/** Between the serial step and the name step: one use, fifteen minutes. */
export const RedeemTicket = defineEntity({
  name: 'RedeemTicket',
  tableName: 'redeem_tickets',
  properties: {
    id: p.uuid().primary(),
    tokenHash: p.blob().unique(),
    serialId: () => p.manyToOne(Serial).mapToPk().fieldName('serial_id').index().deleteRule('cascade'),
    email: p.text(),
    /** Serials proven earlier in the same browser, to be carried along. */
    provenSerialIds: p.array().columnType('uuid[]'),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3).index(),
    usedAt: p.datetime(3).nullable(),
  },
});
export type RedeemTicket = InferEntity<typeof RedeemTicket>;
