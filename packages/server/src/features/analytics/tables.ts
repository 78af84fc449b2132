import { ownTables } from '#platform/db/work.ts';

/** None of its own: it reads. */
export const tables = ownTables<never>('analytics', []);
export type AnalyticsDb = ReturnType<typeof tables.of>;
export type AnalyticsHandle = ReturnType<typeof tables.in>;
