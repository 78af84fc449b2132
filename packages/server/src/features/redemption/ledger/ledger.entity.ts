import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';

/** Represents "no reseller" in a key, which cannot contain null. */
export const NO_PARTNERSHIP = '00000000-0000-0000-0000-000000000000';

/**
 * The ledger summed by day (in the account's time zone), product and reseller: written by the statement that writes the
 * ledger, so that a year of redemptions is read as fast as a week of them.
 */
export const LedgerDay = defineEntity({
  name: 'LedgerDay',
  tableName: 'ledger_days',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    day: p.date().primary(),
    productId: p.uuid().primary(),
    partnershipId: p.uuid().primary(),
    redemptions: p.integer().default(0),
    revenueCents: p.bigint('number').default(0),
    commissionCents: p.bigint('number').default(0),
    /** Refunds and other adjustments made on this day; their amounts are signed. */
    adjustments: p.integer().default(0),
    adjustmentRevenueCents: p.bigint('number').default(0),
    adjustmentCommissionCents: p.bigint('number').default(0),
  },
  indexes: [
    {
      name: 'ledger_days_product_index',
      expression: 'create index ledger_days_product_index on ledger_days (product_id, developer_id)',
    },
  ],
});
export type LedgerDay = InferEntity<typeof LedgerDay>;

/** The ledger summed by day and country; an unknown country is the empty text. */
export const LedgerCountry = defineEntity({
  name: 'LedgerCountry',
  tableName: 'ledger_countries',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    day: p.date().primary(),
    country: p.text().primary(),
    redemptions: p.integer(),
  },
});
export type LedgerCountry = InferEntity<typeof LedgerCountry>;
