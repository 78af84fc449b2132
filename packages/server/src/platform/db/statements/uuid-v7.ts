import { type Expression, sql } from 'kysely';

/** SQL of the first twelve digits of the ids of a moment: Unix milliseconds. */
const millisOf = (at: string) =>
  `encode(substring(int8send((extract(epoch from (${at})::timestamptz at time zone 'UTC') * 1000)::bigint) from 3), 'hex')`;

/**
 * SQL for a UUIDv7 of the moment that `at` represents, for rows that a statement makes by itself: PostgreSQL before 18 has
 * no function for it. Its first 48 bits are Unix milliseconds, the rest (but for the version) is random: RFC 9562, 5.7. What
 * the moment gives is computed once for all rows, as text, which costs a third of working on bytes.
 * @param at a parameter of the statement.
 * @example `insert into serial_events (id, …) select ${uuidV7('$3')}, … from changed`
 */
export const uuidV7 = (at: string): string =>
  `overlay(gen_random_uuid()::text placing (select ${millisOf(at)} || '7') from 1 for 15)::uuid`;

/**
 * SQL of an id that no id of that moment or a later one is below: it finds a time in an index of ids.
 * @example `where d.id >= ${idsFrom('$2')}`
 */
export const idsFrom = (at: string): string => `(${millisOf(at)} || repeat('0', 20))::uuid`;

/** {@link uuidV7} in a query that is built, for a single row. */
export const uuidV7Of = (at: Expression<Date>) =>
  sql<string>`overlay(gen_random_uuid()::text placing
    encode(substring(int8send((extract(epoch from ${at}) * 1000)::bigint) from 3), 'hex') || '7' from 1 for 15)::uuid`;
