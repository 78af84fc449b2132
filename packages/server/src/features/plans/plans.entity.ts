import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/index.ts';

/**
 * Redemptions of a developer in a calendar month (UTC). A counter beside the ledger, raised in the redemption's own
 * transaction, so that a cap can be held by one conditional UPDATE.
 */
export const UsageMonth = defineEntity({
  name: 'UsageMonth',
  tableName: 'usage_months',
  properties: {
    developerId: () => p.manyToOne(User).mapToPk().primary().fieldName('developer_id'),
    /** First day of the month. */
    month: p.date().primary(),
    redemptions: p.integer().default(0),
    /** When its statements were made. From then on nothing can fall into this month. */
    closedAt: p.datetime(3).nullable(),
  },
  indexes: [{ name: 'usage_months_open_index', properties: ['month', 'developerId'], where: 'closed_at is null' }],
  checks: [{ name: 'usage_months_redemptions_check', expression: 'redemptions >= 0' }],
});
export type UsageMonth = InferEntity<typeof UsageMonth>;

/** A download count was set back, at the plan's price of that moment. Append-only, like the ledger. */
export const RefreshCharge = defineEntity({
  name: 'RefreshCharge',
  tableName: 'refresh_charges',
  properties: {
    developerId: () => p.manyToOne(User).mapToPk().primary().fieldName('developer_id'),
    id: p.uuid().primary(),
    /** No foreign key: the charge outlives the serial. */
    serialId: p.uuid(),
    refreshedAt: p.datetime(3),
    plan: p.text(),
    costCents: p.integer(),
  },
  indexes: [{ name: 'refresh_charges_developer_time_index', properties: ['developerId', 'refreshedAt'] }],
  triggers: [
    {
      name: 'refresh_charges_append_only',
      timing: 'before',
      events: ['update', 'delete'],
      forEach: 'row',
      body: "raise exception 'the ledger is append-only'",
    },
  ],
  checks: [{ name: 'refresh_charges_cost_check', expression: 'cost_cents >= 0' }],
});
export type RefreshCharge = InferEntity<typeof RefreshCharge>;
