import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { sameTenant } from '#platform/db/schema/tenant-reference.ts';
import { BillingStatement } from '../statements/statements.entity.ts';

/** `charge`: a card; `balance`: too little to charge, so it is part of the next invoice; the others are what was decided. */
export type BillingAction = 'charge' | 'balance' | 'retry' | 'uncollectible' | 'void';

/** What was tried with a statement, and the result. Append-only. */
export const BillingLog = defineEntity({
  name: 'BillingLog',
  tableName: 'billing_logs',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    statement: () => sameTenant(BillingStatement, 'statement_id').deleteRule('no action'),
    /** The charge that it is about, from 1; 0 before the first. */
    attempt: p.integer(),
    action: p.string().$type<BillingAction>(),
    status: p.string().$type<'success' | 'failed'>(),
    /** As it was then. */
    email: p.text(),
    amountCents: p.bigint('number'),
    errorMessage: p.text().nullable(),
    /** The admin who did it; null: the server itself. */
    actorId: p.uuid().nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [{ name: 'billing_logs_time_index', properties: ['createdAt', 'id'] }],
  uniques: [{ name: 'billing_logs_attempt_unique', properties: ['developerId', 'statement', 'attempt', 'action'] }],
  triggers: [
    {
      name: 'billing_logs_append_only',
      timing: 'before',
      events: ['update', 'delete'],
      forEach: 'row',
      body: "raise exception 'the log is append-only'",
    },
  ],
  checks: [
    { name: 'billing_logs_status_check', expression: "status in ('success', 'failed')" },
    {
      name: 'billing_logs_action_check',
      expression: "action in ('charge', 'balance', 'retry', 'uncollectible', 'void')",
    },
  ],
});
export type BillingLog = InferEntity<typeof BillingLog>;
