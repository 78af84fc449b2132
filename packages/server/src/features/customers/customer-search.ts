import pg from 'pg';
import type { Sql } from '#platform/db/database.ts';
import { escapeLike, likeFolded } from '#platform/db/statements/like.ts';
import { personOf } from './customers.entity.ts';

/** Address and name of customer `c`, as the index has them. */
export const PERSON = personOf('c.');
const ADDRESS = /^[^\s@]+@\S*$/;

/**
 * The condition for customers `c` that match a search text. Text that looks like the beginning of an address is looked
 * up as such, which an index answers at once; other text, and a beginning that matches nobody, is searched anywhere in
 * name and address. The driver quotes the text, because COPY takes no parameters.
 */
export async function customersLike(sql: Sql, developerId: string, search: string): Promise<string> {
  const text = escapeLike(search.toLowerCase());
  if (ADDRESS.test(search)) {
    const begins = await sql.query('select 1 from customers where developer_id = $1 and email_key like $2 limit 1', [
      developerId,
      `${text}%`,
    ]);
    if (begins.length > 0) return `c.email_key like ${pg.escapeLiteral(`${text}%`)}`;
  }
  return `${PERSON} like ${pg.escapeLiteral(likeFolded(search))}`;
}
