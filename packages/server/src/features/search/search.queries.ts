import { type Expression, type SqlBool, sql } from 'kysely';
import { matchingCustomers } from '#features/customers';
import { escapeLike, folded, likeFolded } from '#platform/db/statements/like.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Columns } from '#platform/db/tables.ts';
import { joinOwn, ownJoin } from '#platform/db/tenant.ts';
import type { SearchDb } from './tables.ts';

const PER_KIND = 5;
/** The length of a code's block. */
const TAIL = 4;

/** Whether a column has the words, or it is the id that they are. */
const has = (column: string, words: string, id: Expression<unknown>, own: string | null) => {
  const like = sql<SqlBool>`${sql.raw(folded(column))} like ${likeFolded(words)}`;
  return own === null ? like : sql<SqlBool>`(${like} or ${id} = ${own})`;
};

const selectSerials = (db: SearchDb, developerId: string) =>
  db
    .selectFrom('serials as s')
    .$call(joinOwn('batches as b', 'b.id', 's.batch_id'))
    .$call(joinOwn('products as p', 'p.id', 'b.product_id'))
    .select(['s.id', 's.code', 'p.name as product_name'])
    .select([
      sql<boolean>`s.redeemed_at is not null`.as('redeemed'),
      sql<boolean>`s.revoked_at is not null`.as('revoked'),
    ])
    .where('s.developer_id', '=', developerId)
    .where('p.deleted_at', 'is', null);

export const serialWithId = (db: SearchDb, developerId: string, id: string) =>
  selectSerials(db, developerId).where('s.id', '=', id).execute();

/** @param code as keys of codes are. */
export const serialsBegun = (db: SearchDb, developerId: string, code: string) =>
  selectSerials(db, developerId)
    .where('s.code_key', 'like', `${escapeLike(code)}%`)
    .limit(PER_KIND)
    .execute();

/** Redeemed ones by the last block of their code. */
export async function serialsEnded(db: SearchDb, developerId: string, code: string) {
  if (code.length !== TAIL) return [];
  return selectSerials(db, developerId)
    .where(sql<string>`right(s.code_key, ${sql.lit(TAIL)})`, '=', code)
    .where('s.redeemed_at', 'is not', null)
    .limit(PER_KIND)
    .execute();
}

/** Those of an order. A reference is unique at its reseller, so each of the developer's resellers is asked for it. */
export const serialsOrdered = (db: SearchDb, developerId: string, reference: string) =>
  selectSerials(db, developerId)
    .where(
      sql<SqlBool>`s.id = any(array(
        select i.serial_id from partnerships t join draws d on d.reseller_id = t.reseller_id and d.reference = ${reference}
          ${ownJoin('draw_items as i', 'i.draw_id', 'd.id')}
        where t.developer_id = ${developerId} and d.developer_id = ${developerId} and i.returned_at is null
        limit ${sql.lit(PER_KIND)}))`,
    )
    .orderBy('s.code_key')
    .limit(PER_KIND)
    .execute();

export async function customersFound(db: SearchDb, developerId: string, words: string, id: string | null) {
  const person = id === null ? await matchingCustomers(db, developerId, words) : sql<SqlBool>`c.id = ${id}`;
  return db
    .selectFrom('customers as c')
    .select(['c.id', 'c.email', 'c.first_name', 'c.last_name'])
    .where('c.developer_id', '=', developerId)
    .where(inList('c.created_at'))
    .where('c.erased_at', 'is', null)
    .where(person)
    .limit(PER_KIND)
    .execute();
}

/** Orders of any shop by their whole number, with or without what shops write before it. */
export const ordersNumbered = (db: SearchDb, developerId: string, words: string, id: string | null) =>
  db
    .selectFrom('shop_orders as o')
    .$call(joinOwn('shop_connections as c', 'c.id', 'o.connection_id'))
    .select(['o.id', 'o.number', 'o.state', 'c.name as shop_name'])
    .where('o.developer_id', '=', developerId)
    .where(inList('o.received_at'))
    .where(
      id === null
        ? sql<SqlBool>`o.number in (${words}, ${`#${words}`}, ${words.replace(/^#/, '')})`
        : sql<SqlBool>`o.id = ${id}`,
    )
    .orderBy('o.id', 'desc')
    .limit(PER_KIND)
    .execute();

export const productsFound = (db: SearchDb, developerId: string, words: string, id: string | null) =>
  db
    .selectFrom('products as p')
    .select(['p.id', 'p.name', 'p.image_url', 'p.is_draft'])
    .where('p.developer_id', '=', developerId)
    .where(inList('p.created_at'))
    .where('p.deleted_at', 'is', null)
    .where(has('p.name_key', words, sql.ref('p.id'), id))
    .orderBy('p.name_key')
    .limit(PER_KIND)
    .execute();

export const batchesFound = (db: SearchDb, developerId: string, words: string, id: string | null) =>
  db
    .selectFrom('batches as b')
    .$call(joinOwn('products as p', 'p.id', 'b.product_id'))
    .select(['b.id', 'b.batch_tag', 'p.name as product_name', 'b.quantity', 'b.created_at'])
    .where('b.developer_id', '=', developerId)
    .where(inList('b.created_at'))
    .where('p.deleted_at', 'is', null)
    .where(has('b.batch_tag', words, sql.ref('b.id'), id))
    .orderBy('b.id', 'desc')
    .limit(PER_KIND)
    .execute();

/** Finds resellers by the name that the developer gave them, or their own. */
export async function resellersFound(db: SearchDb, developerId: string, words: string, id: string | null) {
  const { rows } = await sql<Columns<'partnerships', 'id'> & { name: string }>`
    select p.id, coalesce(u.company_name, p.name) as name from partnerships p left join users u on u.id = p.reseller_id
    where p.developer_id = ${developerId} and p.merged_into is null
      and (${has('p.name_key', words, sql.ref('p.id'), id)} or ${has('u.company_name', words, sql.ref('p.id'), null)})
    order by p.name_key limit ${sql.lit(PER_KIND)}`.execute(db);
  return rows;
}

/** The number or id of a statement or an invoice. */
export type Named = { number: string } | { id: string };

const isNamed = (named: Named) => {
  return 'number' in named ? sql<SqlBool>`o.number = ${named.number}` : sql<SqlBool>`o.id = ${named.id}`;
};
const month = sql<string>`to_char(o.month, 'YYYY-MM')`.as('month');

export const statementsNamed = (db: SearchDb, developerId: string, named: Named) =>
  db
    .selectFrom('payouts as o')
    .select(['o.id', 'o.number', month, sql<string>`o.parties->'reseller'->>'name'`.as('reseller_name')])
    .where('o.developer_id', '=', developerId)
    .where(isNamed(named))
    .execute();

export const invoicesNamed = (db: SearchDb, developerId: string, named: Named) =>
  db
    .selectFrom('billing_statements as o')
    .select(['o.id', 'o.number', month])
    .where('o.developer_id', '=', developerId)
    .where(isNamed(named))
    .execute();
