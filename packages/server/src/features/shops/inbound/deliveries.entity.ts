import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { DeliveryState } from './deliveries.schemas.ts';

/** A shop's delivery, byte by byte. Kept for 90 days; no foreign key: a check would cost a tenth of receiving it. */
export const ShopDelivery = defineEntity({
  name: 'ShopDelivery',
  tableName: 'shop_deliveries',
  properties: {
    id: p.uuid().primary(),
    developerId: p.uuid().primary(),
    connectionId: p.uuid(),
    /** The shop's id of it, if unique; else null, and its bytes coalesce with equal ones that are not done yet. */
    key: p.text().nullable(),
    bodyHash: p.blob(),
    body: p.blob(),
    /** JSON of those that matter. */
    headers: p.text(),
    /** The shop's name of the reported event. */
    event: p.text(),
    /** The shop's id of the order; null: of none. */
    orderKey: p.text().nullable(),
    state: p.text().$type<DeliveryState>(),
    /** Why it was ignored, or could not be used. */
    why: p.text().nullable(),
    receivedAt: p.datetime(3),
    doneAt: p.datetime(3).nullable(),
  },
  indexes: [
    {
      name: 'shop_deliveries_key_unique',
      expression:
        'create unique index shop_deliveries_key_unique on shop_deliveries (connection_id, key, developer_id) where key is not null',
    },
    {
      name: 'shop_deliveries_hash_unique',
      expression:
        "create unique index shop_deliveries_hash_unique on shop_deliveries (connection_id, body_hash, developer_id) where key is null and state = 'received'",
    },
    {
      name: 'shop_deliveries_order_index',
      expression:
        'create index shop_deliveries_order_index on shop_deliveries (connection_id, order_key, id) where order_key is not null',
    },
    { name: 'shop_deliveries_list_index', properties: ['connectionId', 'id'] },
    {
      name: 'shop_deliveries_waiting_index',
      expression:
        "create index shop_deliveries_waiting_index on shop_deliveries (connection_id, id) where state = 'received'",
    },
    { name: 'shop_deliveries_expiry_index', properties: ['receivedAt'] },
  ],
  checks: [
    { name: 'shop_deliveries_state_check', expression: "state in ('received', 'done', 'ignored', 'failed')" },
    { name: 'shop_deliveries_done_check', expression: "(state = 'received') = (done_at is null)" },
  ],
});
export type ShopDelivery = InferEntity<typeof ShopDelivery>;
