import { sql } from 'kysely';
import { ownLeftJoin } from '#platform/db/tenant.ts';
import { notFound } from '#platform/errors.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import type { ShopsDb } from '../tables.ts';
import type { DeliveryView } from './deliveries.schemas.ts';

/** Deliveries from the shops of an account, as they were received. */
export class Deliveries {
  readonly #db: ShopsDb;

  constructor(deps: { db: ShopsDb }) {
    this.#db = deps.db;
  }

  /** Newest first. @throws {AppError} not_found */
  async list(accountId: string, shopId: string, query: { limit: number; cursor?: string | undefined }) {
    const db = this.#db;
    const shop = await db
      .selectFrom('shop_connections')
      .select('id')
      .where('developer_id', '=', accountId)
      .where('id', '=', shopId)
      .executeTakeFirst();
    if (!shop) throw notFound('Shop');
    const after = decodeIdCursor(query.cursor);
    const { rows } = await sql<DeliveryView>`
      select d.id, d.event, d.state, d.why, d.order_key, o.id as order_id, o.number as order_number, d.received_at
      from shop_deliveries d ${ownLeftJoin('shop_orders as o', 'o.connection_id', 'd.connection_id')} and o.external_id = d.order_key
          and o.developer_id = ${accountId}
      where d.developer_id = ${accountId} and d.connection_id = ${shopId} ${after ? sql`and d.id < ${after}` : sql``}
      order by d.id desc limit ${query.limit + 1}`.execute(db);
    return pageOf(rows, query.limit);
  }
}
