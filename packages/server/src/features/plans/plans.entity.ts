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
  },
  checks: [{ name: 'usage_months_redemptions_check', expression: 'redemptions >= 0' }],
});
export type UsageMonth = InferEntity<typeof UsageMonth>;
