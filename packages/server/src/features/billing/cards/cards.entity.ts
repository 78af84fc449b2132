import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';

/** A developer as the card provider knows it, and what we show of the card. Its number is known to the provider alone. */
export const BillingCustomer = defineEntity({
  name: 'BillingCustomer',
  tableName: 'billing_customers',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id').updateRule('no action'),
    stripeCustomerId: p.text(),
    /** The card that is charged; null: there is none. */
    paymentMethodId: p.text().nullable(),
    brand: p.text().nullable(),
    last4: p.text().nullable(),
    expMonth: p.integer().nullable(),
    expYear: p.integer().nullable(),
    /** The card that the developer removed last: whatever the provider has of it, it is charged no more. */
    removedPaymentMethodId: p.text().nullable(),
    /** When the card was last read from the provider. */
    syncedAt: p.datetime(3).nullable(),
    /** The card whose end the developer was emailed about. */
    expiryWarnedFor: p.text().nullable(),
    /** Somebody is changing the card until then. */
    busyUntil: p.datetime(3).nullable(),
  },
  indexes: [
    { name: 'billing_customers_card_index', properties: ['paymentMethodId'], where: 'payment_method_id is not null' },
    {
      name: 'billing_customers_expiry_index',
      expression:
        'create index billing_customers_expiry_index on billing_customers (exp_year, exp_month) where payment_method_id is not null and expiry_warned_for is distinct from payment_method_id',
    },
  ],
  uniques: [{ name: 'billing_customers_stripe_unique', properties: ['stripeCustomerId', 'developerId'] }],
  checks: [
    {
      name: 'billing_customers_card_check',
      expression:
        '(payment_method_id is null) = (brand is null) and (brand is null) = (last4 is null) and (last4 is null) = (exp_month is null) and (exp_month is null) = (exp_year is null)',
    },
  ],
});
export type BillingCustomer = InferEntity<typeof BillingCustomer>;

/** A card that a developer began to enter. */
export const SetupIntent = defineEntity({
  name: 'SetupIntent',
  tableName: 'setup_intents',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id').updateRule('no action'),
    /** The provider's. */
    id: p.text().primary(),
    status: p.string().$type<'open' | 'succeeded' | 'canceled'>().default('open'),
    createdAt: p.datetime(3),
  },
  indexes: [
    {
      name: 'setup_intents_open_index',
      properties: ['developerId', 'createdAt'],
      where: "status = 'open'",
    },
  ],
  checks: [{ name: 'setup_intents_status_check', expression: "status in ('open', 'succeeded', 'canceled')" }],
});
export type SetupIntent = InferEntity<typeof SetupIntent>;
