import { type RawBuilder, sql } from 'kysely';

/** The name of an account for others: its company, or the person. `alias` is that of `users` in the statement. */
export function nameOf(alias: string): RawBuilder<string> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const person = sql`trim(concat_ws(' ', ${column('first_name')}, ${column('last_name')}))`;
  return sql`coalesce(nullif(${column('company_name')}, ''), ${person})`;
}

/** The same, also of an account that was deleted: its names are blank. */
export const nameOrClosed = (alias: string): RawBuilder<string> =>
  sql`coalesce(nullif(${nameOf(alias)}, ''), 'Closed account')`;
