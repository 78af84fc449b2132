import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { DealRequest } from './requests/deal-requests.entity.ts';

const entities = [DealRequest] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('deals', entities);
export type DealsDb = ReturnType<typeof tables.of>;
export type DealsHandle = ReturnType<typeof tables.in>;
