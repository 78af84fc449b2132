import type { Selectable } from 'kysely';

/**
 * Every table with its columns, as queries have them. Each feature declares its own into it, in its `tables.ts`: they are derived
 * from its entities once, and the platform knows none of them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the features fill it
export interface Tables {}

export type TableName = keyof Tables & string;

/** Columns of a row as a text of SQL reads them: a column that is renamed no longer compiles here. */
export type Columns<Name extends TableName, Column extends keyof Selectable<Tables[Name]>> = Pick<
  Selectable<Tables[Name]>,
  Column
>;

/** `serials` of `serials as s`. */
export type TableOf<Table extends string> = Table extends `${infer Name} as ${string}` ? Name : Table;
/** `s` of `serials as s`. */
export type AliasOf<Table extends string> = Table extends `${string} as ${infer Alias}` ? Alias : Table;
