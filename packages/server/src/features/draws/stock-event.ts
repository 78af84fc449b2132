import type { Sql } from '#platform/db/database.ts';
import { noticeSql, type Publisher } from '#platform/events.ts';
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

/** Tells both partners, in the transaction that moves the codes. */
export async function publishStock(events: Publisher<StockEvent>, sql: Sql, moved: StockChange): Promise<void> {
  const { change, developerId: developer_id, partnershipId: reseller_id, productId: product_id, codes } = moved;
  const data = { change, developer_id, reseller_id, product_id, codes };
  await events.publish(sql, [developer_id, moved.resellerId], { type: 'stock', data });
}

/**
 * {@link publishStock} of codes that are handed out, for the statement that does so, with its parameters.
 * @param codes how many, as SQL.
 */
export const stockNotices = (codes: string): string => {
  const data = `json_build_object('change', 'handed_out', 'developer_id', $1::uuid, 'reseller_id', $2::uuid, 'product_id', $3::uuid, 'codes', ${codes})`;
  return ['$1::uuid', '$9::uuid'].map((account) => noticeSql(account, 'stock', data)).join(', ');
};
