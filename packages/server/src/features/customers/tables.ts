import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { Customer, CustomerEvent } from './customers.entity.ts';

const entities = [Customer, CustomerEvent] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('customers', entities);
export type CustomersDb = ReturnType<typeof tables.of>;
export type CustomersHandle = ReturnType<typeof tables.in>;
