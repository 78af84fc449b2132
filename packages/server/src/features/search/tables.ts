import { ownTables } from '#platform/db/work.ts';

/** None of its own: it reads. */
export const tables = ownTables<never>('search', []);
export type SearchDb = ReturnType<typeof tables.of>;
