import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** An event of Stripe that was received, so that it is applied once. It holds no figures, and no account's data. */
export const StripeEvent = defineEntity({
  name: 'StripeEvent',
  tableName: 'stripe_events',
  properties: {
    /** Stripe's. */
    id: p.text().primary(),
    type: p.text(),
    objectId: p.text().nullable(),
    receivedAt: p.datetime(3),
    /** Null: it could not be applied; Stripe sends it again. */
    processedAt: p.datetime(3).nullable(),
    /** Why it could not be applied, or why it was ignored. */
    error: p.text().nullable(),
  },
  indexes: [{ name: 'stripe_events_received_index', properties: ['receivedAt'] }],
});
export type StripeEvent = InferEntity<typeof StripeEvent>;
