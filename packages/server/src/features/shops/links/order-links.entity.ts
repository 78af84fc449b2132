import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { sameTenant } from '#platform/db/schema/tenant-reference.ts';
import { ShopOrder } from '../orders/orders.entity.ts';

/** A link, emailed to the address of an order, that opens the order's codes for a day. */
export const ShopOrderLink = defineEntity({
  name: 'ShopOrderLink',
  tableName: 'shop_order_links',
  properties: {
    id: p.uuid().primary(),
    developerId: p.uuid().primary(),
    order: () => sameTenant(ShopOrder, 'order_id').deleteRule('cascade'),
    /** The address that it was emailed to. It does not open an order that has another address by now. */
    emailKey: p.text(),
    tokenHash: p.blob(),
    expiresAt: p.datetime(3),
  },
  uniques: [{ name: 'shop_order_links_token_unique', properties: ['tokenHash', 'developerId'] }],
  indexes: [
    { name: 'shop_order_links_order_index', properties: ['order'] },
    { name: 'shop_order_links_expiry_index', properties: ['expiresAt'] },
  ],
});
export type ShopOrderLink = InferEntity<typeof ShopOrderLink>;
