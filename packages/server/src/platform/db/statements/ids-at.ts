import { sql } from 'kysely';

/** The first twelve digits of the ids of a moment, as ids are written: Unix milliseconds. */
function beginOf(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/**
 * A UUIDv7 of a moment for each row that a statement makes by itself: RFC 9562, 5.7. What the moment gives is computed here, once for
 * all rows.
 */
export const newIds = (at: Date) =>
  sql<string>`overlay(gen_random_uuid()::text placing ${`${beginOf(at)}-7`}::text from 1 for 15)::uuid`;

/** No id of that moment, or of a later one, is below this one: it finds a time in an index of ids. */
export const firstIdAt = (at: Date): string => `${beginOf(at)}-0000-0000-000000000000`;
