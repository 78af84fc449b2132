import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { Batch, PartnerLowStock, Serial, SerialEvent } from './serials.entity.ts';

const entities = [Batch, Serial, SerialEvent, PartnerLowStock] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('serials', entities);
export type SerialsDb = ReturnType<typeof tables.of>;
export type SerialsHandle = ReturnType<typeof tables.in>;
