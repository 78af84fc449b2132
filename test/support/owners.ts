import type { SentUse } from './statement-use.ts';
import { lent, readers, tables } from './tables.ts';

export const knownTables: ReadonlySet<string> = new Set(Object.keys(tables));

/** Describes what a feature does to a table of another without permission; undefined if it may. */
export function foreignUse(feature: string, { table, does, columns }: SentUse): string | undefined {
  const { owner, addedBy, columns: lent = {} } = tables[table] as (typeof tables)[string];
  if (owner === feature) return undefined;
  if (does === 'adds' && addedBy === feature) return undefined;
  if (does === 'reads' && readers[table]?.features.includes(feature)) return undefined;
  if (does === 'updates' && columns.length > 0 && columns.every((column) => lent[column] === feature)) return undefined;
  return `${does} ${table}, which is ${owner}’s`;
}

/** Whether a feature may do so in a statement that it sends, with SQL that the owner of the table lends it. */
export function isLent(feature: string, { table, does }: SentUse): boolean {
  return (does === 'reads' || does === 'adds') && lent[table]?.includes(feature) === true;
}
