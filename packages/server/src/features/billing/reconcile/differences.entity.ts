import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A difference that the last reconciliation found. It repairs nothing; the next one deletes those that are gone. */
export const BillingDifference = defineEntity({
  name: 'BillingDifference',
  tableName: 'billing_differences',
  properties: {
    developerId: p.uuid().primary(),
    /** The statement, as it is here or as an invoice names it. */
    statementId: p.uuid().primary(),
    invoiceId: p.text().nullable(),
    words: p.text(),
    foundAt: p.datetime(3),
  },
});
export type BillingDifference = InferEntity<typeof BillingDifference>;
