import { type OwnTables, ownTables } from '#platform/db/work.ts';

/** It owns none: what a reseller sold is in the ledgers of developers. */
export const tables: OwnTables<never, never> = ownTables('reseller-sales', []);
export type SalesDb = ReturnType<typeof tables.of>;
