import { type Expression, sql } from 'kysely';
import { recordWebhooks } from '#features/webhooks';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ownMatch } from '#platform/db/tenant.ts';
import { tables } from '../tables.ts';

// Serials of imports. An import brings a file's rows as a query over temporary tables.

/** An import with more batches than this is reported to webhooks as a whole, by `import.finished`. */
const EVENTS_AT_ONCE = 1000;

interface MadeBatch extends Columns<'batches', 'product_id' | 'partnership_id' | 'quantity' | 'batch_tag'> {
  batch_id: string;
}

/**
 * Adds batches, and lets webhooks know of them, unless they are too many.
 * @param source yields the columns, in their order
 */
export async function addBatches(
  handle: Sql,
  developerId: string,
  now: Date,
  source: Expression<unknown>,
): Promise<void> {
  const { rows } = await sql<MadeBatch>`
    with made as (
      insert into batches (id, developer_id, product_id, partnership_id, origin, quantity, promo_price_cents, promo_start,
        promo_expires, expires_at, batch_tag, notes, created_at, import_id) ${source}
      returning id as batch_id, product_id, partnership_id, quantity, batch_tag
    ) select * from made limit ${sql.lit(EVENTS_AT_ONCE + 1)}`.execute(tables.in(handle));
  if (rows.length > EVENTS_AT_ONCE) return;
  const events = rows.map((data) => ({ type: 'batch.generated' as const, at: now, data }));
  await recordWebhooks(handle, developerId, events);
}

/**
 * Adds serials, but for those whose code has just been taken, and answers how many.
 * @param source yields the columns, in their order
 */
export async function addSerials(handle: Sql, source: Expression<unknown>): Promise<number> {
  const { rows } = await sql<{ made: number }>`
    with made as (
      insert into serials (id, developer_id, batch_id, code, code_key, customer_id, redeemed_at, revoked_at, download_count,
        handed_out_at, draw_id)
      ${source} on conflict (code_key, developer_id) do nothing returning 1
    ) select count(*) as made from made`.execute(tables.in(handle));
  return rows[0]?.made ?? 0;
}

/**
 * Gives available serials, which the caller holds, to their customers, as they were elsewhere.
 * @param source the tables of `s`: `developer_id, id, customer_id, redeemed_at, downloads, revoked_at`. The account is
 * a column, because as a value it would make the planner expect no serials at all.
 */
export async function redeemAll(handle: Sql, source: Expression<unknown>): Promise<void> {
  await sql`
    /* across tenants: the account is a column of what was staged, or the planner expects no serials */
    update serials o set customer_id = s.customer_id, redeemed_at = s.redeemed_at, download_count = s.downloads,
      revoked_at = coalesce(o.revoked_at, s.revoked_at)
    from (${source}) s where ${ownMatch('o.id', 's.id')}`.execute(tables.in(handle));
}
