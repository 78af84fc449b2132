import { type RawBuilder, sql } from 'kysely';

/** SQL that is still made as text, by another feature or for both forms, in a query that is built. */
export const lent = <T>(text: string): RawBuilder<T> => sql<T>`${sql.raw(text)}`;

const PLACE = '\u0001';

/**
 * The same of SQL that takes a value, wherever the text has it.
 * @example lentWith<boolean>(sellable, sql`${now}::timestamptz`)
 */
export function lentWith<T>(text: (value: string) => string, value: RawBuilder<unknown>): RawBuilder<T> {
  const parts = text(PLACE).split(PLACE);
  return sql<T>`${sql.join(
    parts.map((part) => sql.raw(part)),
    value,
  )}`;
}
