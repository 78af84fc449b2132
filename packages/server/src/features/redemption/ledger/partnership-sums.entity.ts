import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';

const key = () => ({
  developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
  partnershipId: p.uuid().primary(),
});

/** Redemptions, revenue and commission are without imports: those were settled where they were sold, and are only counted. */
const sums = () => ({
  redemptions: p.integer().default(0),
  imports: p.integer().default(0),
  revenueCents: p.bigint('number').default(0),
  commissionCents: p.bigint('number').default(0),
  /** Refunds and everything else in `ledger_adjustments`; their amounts are signed. */
  adjustments: p.integer().default(0),
  adjustmentRevenueCents: p.bigint('number').default(0),
  adjustmentCommissionCents: p.bigint('number').default(0),
});

/** The ledger of a partnership by product, over all time. Written, as the two below, by the statement that writes the ledger. */
export const PartnerTotal = defineEntity({
  name: 'PartnerTotal',
  tableName: 'partner_totals',
  properties: { ...key(), productId: p.uuid().primary(), ...sums() },
});
export type PartnerTotal = InferEntity<typeof PartnerTotal>;

/** The ledger of a partnership by calendar month (UTC) and product. */
export const PartnerMonth = defineEntity({
  name: 'PartnerMonth',
  tableName: 'partner_months',
  properties: { ...key(), month: p.date().primary(), productId: p.uuid().primary(), ...sums() },
});
export type PartnerMonth = InferEntity<typeof PartnerMonth>;

/** The ledger of a partnership by day, in the time zone of its {@link PartnerCalendar}, and product. */
export const PartnerDay = defineEntity({
  name: 'PartnerDay',
  tableName: 'partner_days',
  properties: { ...key(), day: p.date().primary(), productId: p.uuid().primary(), ...sums() },
});
export type PartnerDay = InferEntity<typeof PartnerDay>;

/** The time zone that the days of a partnership are in: UTC where there is no row. */
export const PartnerCalendar = defineEntity({
  name: 'PartnerCalendar',
  tableName: 'partner_calendars',
  properties: { ...key(), timeZone: p.text() },
});
export type PartnerCalendar = InferEntity<typeof PartnerCalendar>;
