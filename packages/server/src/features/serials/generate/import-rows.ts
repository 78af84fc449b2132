import { patternsFor, recordEachCtes } from '#features/webhooks';
import type { Sql } from '#platform/db/database.ts';

// For imports, which bring a file's rows as a query over temporary tables.

/** With more batches than this, an import is told of as a whole, by `import.finished`. */
const TOLD_AT_ONCE = 1000;

/**
 * Adds batches, and lets webhooks know of each, unless they are too many.
 * @param source yields the columns below, in this order; `$1` is the account, and `$2` the moment.
 */
export async function addBatches(sql: Sql, developerId: string, now: Date, source: string): Promise<void> {
  const type = 'batch.generated';
  await sql.query(
    `with made as (
       insert into batches (id, developer_id, product_id, partnership_id, origin, quantity, promo_price_cents, promo_start,
         promo_expires, expires_at, batch_tag, notes, created_at) ${source}
       returning id as batch_id, product_id, partnership_id, quantity, batch_tag
     ), told as (
       select null::uuid as id, row_to_json(made)::text as data, null::text as personal,
         array_remove(array[batch_id, product_id, partnership_id], null) as objects
       from made where (select count(*) from made) <= ${TOLD_AT_ONCE}
     ), ${recordEachCtes('told', { account: '$1', at: '$2', type: '$3', patterns: '$4' })}
     select * from recorded`,
    [developerId, now, type, patternsFor(type)],
  );
}

/**
 * Adds serials. `source` yields the columns below, in this order.
 * @returns how many were added; a serial whose code has just been taken is skipped.
 */
export async function addSerials(sql: Sql, source: string, values: readonly unknown[]): Promise<number> {
  const [row] = await sql.query<{ made: number }>(
    `with made as (
       insert into serials (id, developer_id, batch_id, code, code_key, customer_id, redeemed_at, revoked_at, download_count)
       ${source} on conflict (code_key, developer_id) do nothing returning 1
     ) select count(*) as made from made`,
    values,
  );
  return row?.made ?? 0;
}

/**
 * Gives available serials, which the caller holds, to their customers, as they were elsewhere.
 * @param source the tables of `s`: `developer_id, id, customer_id, redeemed_at, downloads, revoked_at`. The account is
 * a column, because as a value it would make the planner expect no serials at all.
 */
export async function redeemAll(sql: Sql, source: string, values: readonly unknown[]): Promise<void> {
  await sql.query(
    `update serials o set customer_id = s.customer_id, redeemed_at = s.redeemed_at, download_count = s.downloads,
       revoked_at = coalesce(o.revoked_at, s.revoked_at)
     from (${source}) s where (o.developer_id, o.id) = (s.developer_id, s.id)`,
    values,
  );
}
