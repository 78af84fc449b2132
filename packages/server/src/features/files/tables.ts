import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { StoredFile } from './files.entity.ts';

const entities = [StoredFile] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('files', entities);
export type FilesDb = ReturnType<typeof tables.of>;
