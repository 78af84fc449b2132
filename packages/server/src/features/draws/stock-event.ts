import { type Expression, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { notice, type Publisher } from '#platform/events.ts';
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

/** {@link publishStock} of codes that are handed out, for the statement that does so. @param codes how many */
export function stockNotices(
  {
    developerId,
    partnershipId,
    productId,
    codes,
  }: Record<'developerId' | 'partnershipId' | 'productId', string> & {
    codes: Expression<unknown>;
  },
  resellerId: string,
) {
  const data = sql`json_build_object('change', 'handed_out', 'developer_id', ${developerId}::uuid, 'reseller_id', ${partnershipId}::uuid,
    'product_id', ${productId}::uuid, 'codes', ${codes})`;
  return sql.join([developerId, resellerId].map((account) => notice(sql`${account}::uuid`, 'stock', data)));
}
