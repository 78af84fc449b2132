import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';

/**
 * The ledger summed by day (in the account's time zone), product, reseller and country, for figures that are filtered by
 * country: as many rows as there are such combinations, so that figures without a country read `ledger_days`. An unknown country
 * is the empty text. Adjustments count where their redemption was.
 */
export const LedgerPlace = defineEntity({
  name: 'LedgerPlace',
  tableName: 'ledger_places',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id').updateRule('no action'),
    day: p.date().primary(),
    productId: p.uuid().primary(),
    partnershipId: p.uuid().primary(),
    country: p.text().primary(),
    redemptions: p.integer().default(0),
    revenueCents: p.bigint('number').default(0),
    adjustmentRevenueCents: p.bigint('number').default(0),
  },
});
export type LedgerPlace = InferEntity<typeof LedgerPlace>;

/**
 * The first day from which an account's places are complete. Sales from before places existed are counted from the
 * newest day backward; until then, and without a row, a reader of an earlier day counts the ledger itself.
 */
export const LedgerPlaceCount = defineEntity({
  name: 'LedgerPlaceCount',
  tableName: 'ledger_place_counts',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id').updateRule('no action'),
    completeFrom: p.date(),
  },
});
export type LedgerPlaceCount = InferEntity<typeof LedgerPlaceCount>;
