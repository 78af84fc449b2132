import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { Draw, DrawItem, SerialDownload } from './draws.entity.ts';

const entities = [Draw, DrawItem, SerialDownload] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('draws', entities);
export type DrawsDb = ReturnType<typeof tables.of>;
export type DrawsHandle = ReturnType<typeof tables.in>;
