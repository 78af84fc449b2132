import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { SavedView } from './views.entity.ts';

const entities = [SavedView] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('views', entities);
export type ViewsDb = ReturnType<typeof tables.of>;
