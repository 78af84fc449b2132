import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { PlanChange, RefreshCharge, UsageDay, UsageMonth } from './plans.entity.ts';

const entities = [UsageMonth, UsageDay, RefreshCharge, PlanChange] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('plans', entities);
export type PlansDb = ReturnType<typeof tables.of>;
export type PlansHandle = ReturnType<typeof tables.in>;
