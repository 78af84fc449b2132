import { sql } from 'kysely';

/**
 * The condition of an index that begins with the tenant. It is always true, but only a statement that repeats it can use the
 * index: lists and sums of a whole tenant do, look-ups by key don't. Without it, PostgreSQL takes such an index for a look-up
 * as soon as its statistics don't know the tenant yet, and reads all of the tenant's rows to find one.
 * @param column the time that the index is in the order of, or that every row has
 */
export const ofLists = (column = 'created_at') => `${column} > '-infinity'`;

/** The same of a column in a query that is built. */
export const inList = (column: string) => sql<boolean>`${sql.ref(column)} > '-infinity'`;
