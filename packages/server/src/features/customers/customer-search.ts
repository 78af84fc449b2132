import pg from 'pg';
import type { Sql } from '../../platform/db/database.ts';
import { escapeLike } from '../../platform/db/like.ts';

/** As the index on it says it. */
const PERSON = `(c.email_key || ' ' || lower(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')))`;
const ADDRESS = /^[^\s@]+@\S*$/;

/**
 * The condition for customers `c` that fit what somebody typed. What reads like the beginning of an address is looked up
 * as that, which an index answers at once; everything else, and a beginning that nobody has, anywhere in name and
 * address. Quoted by the driver, because COPY takes no parameters.
 */
export async function customersLike(sql: Sql, developerId: string, search: string): Promise<string> {
  const text = escapeLike(search.normalize('NFC').toLowerCase());
  if (ADDRESS.test(search)) {
    const begins = await sql.query('select 1 from customers where developer_id = $1 and email_key like $2 limit 1', [
      developerId,
      `${text}%`,
    ]);
    if (begins.length > 0) return `c.email_key like ${pg.escapeLiteral(`${text}%`)}`;
  }
  return `${PERSON} like ${pg.escapeLiteral(`%${text}%`)}`;
}
