import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** What one of a currency was worth in dollars on a day. */
export const ShopRate = defineEntity({
  name: 'ShopRate',
  tableName: 'shop_rates',
  properties: {
    currency: p.text().primary(),
    day: p.date().primary(),
    usd: p.text(),
  },
});
export type ShopRate = InferEntity<typeof ShopRate>;
