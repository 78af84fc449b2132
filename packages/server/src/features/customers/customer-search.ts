import { type Expression, type SqlBool, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { escapeLike, likeFolded } from '#platform/db/statements/like.ts';
import { personOf } from './customers.entity.ts';
import { tables } from './tables.ts';

/** Address and name of customer `c`, as the index has them. */
export const PERSON = sql.raw<string>(personOf('c.'));
const ADDRESS = /^[^\s@]+@\S*$/;

/**
 * The condition for customers `c` that match a search text. Text that looks like the beginning of an address is looked
 * up as such, which an index answers at once; other text, and a beginning that matches nobody, is searched anywhere in
 * name and address.
 */
export async function matchingCustomers(
  handle: Sql,
  developerId: string,
  search: string,
): Promise<Expression<SqlBool>> {
  if (ADDRESS.test(search)) {
    const beginning = `${escapeLike(search.toLowerCase())}%`;
    const begins = await tables
      .in(handle)
      .selectFrom('customers')
      .select('id')
      .where('developer_id', '=', developerId)
      .where('email_key', 'like', beginning)
      .limit(1)
      .executeTakeFirst();
    if (begins) return sql<boolean>`c.email_key like ${beginning}`;
  }
  return sql<boolean>`${PERSON} like ${likeFolded(search)}`;
}
