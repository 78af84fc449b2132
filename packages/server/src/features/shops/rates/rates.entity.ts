import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** The rate of a currency on a day: the dollars for one of it. */
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
