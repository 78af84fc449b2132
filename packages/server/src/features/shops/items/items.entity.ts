import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Renewals, Source } from './items.schemas.ts';

/** An item that a shop sells under its own key, and the developer's products for it. No products: not known yet. */
export const ShopItem = defineEntity({
  name: 'ShopItem',
  tableName: 'shop_items',
  properties: {
    developerId: p.uuid().primary(),
    connectionId: p.uuid().primary(),
    /** `variant:…`, `product:…`, or a SKU as it is. */
    key: p.text().primary(),
    /** As the shop calls it. */
    name: p.text(),
    productIds: p.array().columnType('uuid[]'),
    /** Serials of each product for one of it. */
    units: p.integer(),
    source: p.text().$type<Source>(),
    batchTag: p.text().nullable(),
    prefix: p.text().nullable(),
    expiresAt: p.datetime(3).nullable(),
    renewals: p.text().$type<Renewals>(),
    seenAt: p.datetime(3),
    /** Null: it waits for somebody to map it. */
    mappedAt: p.datetime(3).nullable(),
  },
  checks: [
    { name: 'shop_items_units_check', expression: 'units > 0' },
    { name: 'shop_items_mapped_check', expression: "(mapped_at is null) = (product_ids = '{}')" },
  ],
});
export type ShopItem = InferEntity<typeof ShopItem>;
