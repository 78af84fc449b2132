import { ownTables } from '#platform/db/work.ts';

/** It owns none: what is asked for is in those of others. */
export const tables = ownTables('first-steps', []);
export type FirstStepsDb = ReturnType<typeof tables.of>;
