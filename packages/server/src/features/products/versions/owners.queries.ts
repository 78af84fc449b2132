import { sql } from 'kysely';
import { hasRedeemed, isProven } from '#features/customers';
import type { Sql } from '#platform/db/database.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ownJoin } from '#platform/db/tenant.ts';
import { tables } from '../tables.ts';

/** The most owners in one transaction. */
export const BATCH = 500;

/** Serial `s` is owned and can be used. */
const owned = sql`s.customer_id is not null and s.redeemed_at is not null and s.revoked_at is null`;

/** Customer `c` can be emailed, has come by themselves, and has not stopped it. */
const wants = sql`c.erased_at is null and c.no_updates_at is null and ${hasRedeemed('c')}`;

/** How many customers own the product and want to hear of it. */
export async function countOwners(handle: Sql, developerId: string, productId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from customers c
    where c.developer_id = ${developerId} and ${inList('c.created_at')} and ${wants} and c.id in (
      select s.customer_id from batches b ${ownJoin('serials as s', 's.batch_id', 'b.id')}
      where b.developer_id = ${developerId} and b.product_id = ${productId} and ${owned})`.execute(tables.in(handle));
  return rows[0]?.n ?? 0;
}

interface Place {
  last_created_at: Date | null;
  last_id: string | null;
}

interface Candidate extends Columns<'customers', 'id' | 'email' | 'language' | 'created_at'> {
  name: string;
  /** Whether they have followed a link that was sent to their address. */
  proven: boolean;
  /** The newest serial of the product; null for a customer who is not to be told. */
  serial_id: string | null;
  code: string | null;
}

/**
 * The next customers in order of creation, those who were there when it began, and what they own of the product. Serials are read by
 * their customer, and batches by their key, whatever the planner believes of this account.
 */
export async function nextCustomers(
  handle: Sql,
  developerId: string,
  { productId, startedAt, place }: { productId: string; startedAt: Date; place: Place },
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select c.id, c.email, concat_ws(' ', c.first_name, c.last_name) as name, c.language, c.created_at,
      ${isProven('c')} as proven, o.id as serial_id, o.code
    from (
      select * from customers c
      where c.developer_id = ${developerId} and ${inList('c.created_at')} and c.created_at <= ${startedAt}
        and (${place.last_created_at}::timestamptz is null
          or (c.created_at, c.id) > (${place.last_created_at}::timestamptz, ${place.last_id}::uuid))
      order by c.created_at, c.id limit ${sql.lit(BATCH)}
    ) c
    left join lateral (
      select s.id, s.code from (
          select * from serials s where s.developer_id = ${developerId} and s.customer_id = c.id and s.redeemed_at <= ${startedAt}
            and ${owned} offset 0
        ) s
        cross join lateral (
          select * from batches b where b.developer_id = ${developerId} and b.id = s.batch_id limit 1) b
      where b.product_id = ${productId} order by s.redeemed_at desc, s.id desc limit 1
    ) o on ${wants}
    order by c.created_at, c.id`.execute(tables.in(handle));
  return rows;
}
