import { type RawBuilder, sql } from 'kysely';

const PLACE = '\u0000';

/**
 * A fragment that is made as text, with a value in its place, in a query that is built.
 * @example withValue(unpacked, texts)
 */
export function withValue<T>(make: (place: string) => string, value: unknown): RawBuilder<T> {
  const pieces = make(PLACE)
    .split(PLACE)
    .flatMap((text, at) => (at === 0 ? [sql.raw(text)] : [sql`${value}`, sql.raw(text)]));
  return sql<T>`${sql.join(pieces, sql``)}`;
}
