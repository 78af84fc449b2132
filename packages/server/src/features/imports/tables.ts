import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { Import, ImportPlan } from './imports.entity.ts';

const entities = [Import, ImportPlan] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('imports', entities);
export type ImportsDb = ReturnType<typeof tables.of>;
export type ImportsHandle = ReturnType<typeof tables.in>;
