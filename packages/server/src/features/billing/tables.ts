import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { BillingCustomer, SetupIntent } from './cards/cards.entity.ts';
import { BillingLog } from './log/log.entity.ts';
import { BillingDifference } from './reconcile/differences.entity.ts';
import { BillingReconciliation } from './reconcile/runs.entity.ts';
import { BillingLine, BillingNumber, BillingStatement } from './statements/statements.entity.ts';
import { StripeEvent } from './webhook/webhook.entity.ts';

const entities = [
  BillingCustomer,
  SetupIntent,
  BillingStatement,
  BillingLine,
  BillingNumber,
  BillingLog,
  BillingDifference,
  BillingReconciliation,
  StripeEvent,
] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('billing', entities);
export type BillingDb = ReturnType<typeof tables.of>;
export type BillingHandle = ReturnType<typeof tables.in>;
