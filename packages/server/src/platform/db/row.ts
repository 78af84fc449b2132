import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { TableName, Tables } from './tables.ts';

/** A table's row as a statement has it. Fragments name the columns that they need, and never the row itself. */
export type Row<Name extends TableName> = {
  readonly [Column in keyof Selectable<Tables[Name]>]: RawBuilder<Selectable<Tables[Name]>[Column]>;
};

/** The row of a template by the name that it has there. @example ``sql`… from serials s where ${open(row('serials as s'))}` `` */
export function row<const Name extends TableName, const Alias extends string>(table: `${Name} as ${Alias}`): Row<Name> {
  const alias = table.slice(table.lastIndexOf(' ') + 1);
  return new Proxy({} as Row<Name>, { get: (_, column) => sql.raw(`${alias}.${String(column)}`) });
}
