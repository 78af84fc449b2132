import { type Expression, sql } from 'kysely';

/** The first twelve digits of the ids of a moment, as ids are written: Unix milliseconds. */
function beginOf(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** A UUIDv7 of a moment for a row: RFC 9562, 5.7. What the moment gives is computed here, once for all rows. */
export const newIds = (at: Date) =>
  sql<string>`overlay(gen_random_uuid()::text placing ${`${beginOf(at)}-7`}::text from 1 for 15)::uuid`;

/**
 * An id for each row that a statement makes of others. It follows from them and from the transaction, and not from chance: where tables
 * are spread over many machines, rows that each take something from chance are made by the coordinator, with the help of all machines.
 * @param key text that no other such row of the transaction has
 */
export const madeId = (key: Expression<unknown>) => sql<string>`(${digest(key)})::uuid`;

/** The same as a UUIDv7 of a moment. */
export const madeIds = (at: Date, key: Expression<unknown>) => v7Of(sql`${`${beginOf(at)}-7`}::text`, key);

/** The same. @param first an id that none of that moment is below: {@link firstIdAt}, or SQL of it */
export const madeIdsFrom = (first: Expression<unknown>, key: Expression<unknown>) =>
  v7Of(sql`left(${first}::text, 14) || '7'`, key);

const v7Of = (begin: Expression<unknown>, key: Expression<unknown>) =>
  sql<string>`overlay(overlay((${digest(key)})::uuid::text placing '8' from 20 for 1) placing ${begin} from 1 for 15)::uuid`;

const digest = (key: Expression<unknown>) =>
  sql`left(encode(sha256(convert_to(pg_current_xact_id()::text || ' ' || ${key}, 'UTF8')), 'hex'), 32)`;

/** No id of that moment, or of a later one, is below this one: it finds a time in an index of ids. */
export const firstIdAt = (at: Date): string => `${beginOf(at)}-0000-0000-000000000000`;
