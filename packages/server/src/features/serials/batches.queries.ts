import type { Sql } from '../../platform/db/database.ts';
import { escapeLike } from '../../platform/db/like.ts';
import { listOf } from '../../platform/db/list-index.ts';
import { toDollars } from '../../platform/money.ts';
import { HANDED_OUT, OPEN } from './availability-rules.ts';
import type { BatchView } from './batches.schemas.ts';

interface Row extends Omit<BatchView, 'promo_price'> {
  promo_price_cents: number | null;
}

// each count by an index of its own
const SELECT = `select b.id, b.product_id, p.name as product_name, p.image_url, b.partnership_id as reseller_id, t.name as reseller_name,
    b.origin, b.quantity, b.prefix, b.promo_price_cents, b.promo_start, b.promo_expires, b.expires_at, b.batch_tag, b.notes, b.created_at,
    (select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${OPEN}) as open,
    (select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${HANDED_OUT}) as handed_out,
    (select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and s.redeemed_at is not null) as redeemed,
    (select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and s.revoked_at is not null) as revoked
  from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id) left join partnerships t on (t.developer_id, t.id) = (b.developer_id, b.partnership_id)`;

export interface BatchFilter {
  developerId: string;
  productId: string | undefined;
  search: string | undefined;
}

/** Newest first. `after` is the id the page before ended with. */
export async function listBatches(
  sql: Sql,
  filter: BatchFilter,
  after: string | null,
  limit: number,
): Promise<{ rows: BatchView[]; total: number }> {
  const like = filter.search ? `%${escapeLike(filter.search)}%` : null;
  const condition = `b.developer_id = $1 and ${listOf('b')} and p.deleted_at is null and ($2::uuid is null or b.product_id = $2)
    and ($3::text is null or p.name ilike $3 or b.batch_tag ilike $3 or b.notes ilike $3 or t.name ilike $3)`;
  const values = [filter.developerId, filter.productId ?? null, like];
  const rows = await sql.query<Row>(
    `${SELECT} where ${condition} and ($4::uuid is null or b.id < $4) order by b.id desc limit $5`,
    [...values, after, limit],
  );
  const [counted] = await sql.query<{ n: number }>(
    `select count(*) as n from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
       left join partnerships t on (t.developer_id, t.id) = (b.developer_id, b.partnership_id) where ${condition}`,
    values,
  );
  return { rows: rows.map(view), total: counted?.n ?? 0 };
}

export async function findBatchView(sql: Sql, developerId: string, id: string): Promise<BatchView | undefined> {
  const [row] = await sql.query<Row>(`${SELECT} where b.developer_id = $1 and b.id = $2 and p.deleted_at is null`, [
    developerId,
    id,
  ]);
  return row && view(row);
}

function view({ promo_price_cents, ...row }: Row): BatchView {
  return { ...row, promo_price: toDollars(promo_price_cents) };
}
