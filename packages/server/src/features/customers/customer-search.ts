import { type InferResult, sql } from 'kysely';
import pg from 'pg';
import type { Sql } from '#platform/db/database.ts';
import { BY_INDEX } from '#platform/db/statements/by-index.ts';
import { escapeLike, likeFolded } from '#platform/db/statements/like.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Door } from '#platform/db/work.ts';
import { fold } from '#platform/text/text.ts';
import { personOf } from './customers.entity.ts';
import { tables } from './tables.ts';

/** Address and name of customer `c`, as the index has them. */
export const PERSON = personOf('c.');
const ADDRESS = /^[^\s@]+@\S*$/;
/** What the index of names and addresses can look up, whatever the locale of the database: it has three letters each. */
const INDEXED = /[a-z0-9]{3}/;
/** So many of the newest are looked at one by one. */
const LOOKED_AT = 10_000;
const IN_ORDER = { ...BY_INDEX, enable_sort: 'off' };
const BY_LETTERS = { enable_seqscan: 'off', enable_indexscan: 'off' };

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

/** Customers `c` as a search shows them. */
const selectPeople = (handle: Sql) =>
  tables
    .in(handle)
    .selectFrom('customers as c')
    .select(['c.id', 'c.email', 'c.first_name', 'c.last_name'])
    .where('c.erased_at', 'is', null);

type FoundPerson = InferResult<ReturnType<typeof selectPeople>>[number];

const person = sql.raw<string>(PERSON);

/**
 * A few customers whose name or address has a text, at a cost that does not grow with the account, whatever the statistics know of
 * it. Of an account with more than {@link LOOKED_AT}, older ones are found by three letters or digits in a row, or else by how their
 * address begins.
 */
export async function findCustomers(
  door: Door,
  developerId: string,
  search: string,
  most: number,
): Promise<FoundPerson[]> {
  const db = tables.of(door);
  const begun = () =>
    db.work({ tx: true, settings: BY_INDEX }, (tx) =>
      selectPeople(tx)
        .where('c.developer_id', '=', developerId)
        .where('c.email_key', 'like', `${escapeLike(search.toLowerCase())}%`)
        .limit(most)
        .execute(),
    );
  const addressed = ADDRESS.test(search) ? await begun() : [];
  if (addressed.length > 0) return addressed;
  const like = likeFolded(search);
  const { found, whole } = await db.work({ tx: true, settings: IN_ORDER }, async (tx) => {
    const newest = selectPeople(tx)
      .where('c.developer_id', '=', developerId)
      .where(inList('c.created_at'))
      .orderBy('c.created_at', 'desc')
      .orderBy('c.id', 'desc');
    const looked = newest.select(person.as('person')).limit(LOOKED_AT);
    const found = await tx
      .selectFrom(looked.as('c'))
      .select(['c.id', 'c.email', 'c.first_name', 'c.last_name'])
      .where('c.person', 'like', like)
      .limit(most)
      .execute();
    const whole = found.length === most || !(await newest.offset(LOOKED_AT).limit(1).executeTakeFirst());
    return { found, whole };
  });
  if (whole) return found;
  const older = INDEXED.test(fold(search))
    ? await db.work({ tx: true, settings: BY_LETTERS }, (tx) =>
        selectPeople(tx)
          // as text, of which there is no index: one of tenants would be read whole where the statistics don't know this one yet
          .where(sql<boolean>`c.developer_id::text = ${developerId}`)
          .where(person, 'like', like)
          .limit(most + found.length)
          .execute(),
      )
    : await begun();
  return [...new Map([...found, ...older].map((each) => [each.id, each])).values()].slice(0, most);
}
