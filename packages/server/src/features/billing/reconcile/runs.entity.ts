import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A run of the reconciliation: that nothing differs means something only when it has run. */
export const BillingReconciliation = defineEntity({
  name: 'BillingReconciliation',
  tableName: 'billing_reconciliations',
  properties: {
    id: p.uuid().primary(),
    ranAt: p.datetime(3),
    /** Statements that were compared; none when it failed. */
    compared: p.integer(),
    differences: p.integer(),
    /** Why it could not be finished; what was found before stays. */
    error: p.text().nullable(),
  },
  indexes: [{ name: 'billing_reconciliations_ran_index', properties: ['ranAt'] }],
});
export type BillingReconciliation = InferEntity<typeof BillingReconciliation>;
