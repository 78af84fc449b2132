import type { Sql } from '#platform/db/database.ts';
import type { Publisher } from '#platform/events.ts';
import type { StockEvent } from './draws.schemas.ts';

interface StockChange {
  change: StockEvent['data']['change'];
  developerId: string;
  partnershipId: string;
  /** The account behind the partnership. */
  resellerId: string;
  productId: string;
  codes: number;
}

/** Notifies both partners in the transaction that moves codes. */
export async function publishStock(events: Publisher<StockEvent>, sql: Sql, moved: StockChange): Promise<void> {
  const { change, developerId: developer_id, partnershipId: reseller_id, productId: product_id, codes } = moved;
  const data = { change, developer_id, reseller_id, product_id, codes };
  await events.publish(sql, [developer_id, moved.resellerId], { type: 'stock', data });
}
