import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { AccountArchive } from './archives.entity.ts';

const entities = [AccountArchive] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('archives', entities);
export type ArchivesDb = ReturnType<typeof tables.of>;
export type ArchivesHandle = ReturnType<typeof tables.in>;
