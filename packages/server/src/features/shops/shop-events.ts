import { z } from 'zod';
import { Id } from '#platform/http/schemas.ts';
import { orderStates } from './orders/states.ts';

/** An order of a shop came, or has become something else. */
export const ShopOrderEvent = z.object({
  type: z.literal('shop_order'),
  data: z.object({
    order_id: Id.describe('The order.'),
    shop_id: Id.describe('The shop.'),
    number: z.string().describe('As people call it.'),
    state: z.enum(orderStates).describe('What it is now.'),
  }),
});
export type ShopOrderEvent = z.output<typeof ShopOrderEvent>;

/** Somebody has to look at a shop: it has trouble, is silent, sells what nobody has mapped, or does not stop what it was asked to send. */
export const ShopEvent = z.object({
  type: z.literal('shop'),
  data: z.object({
    shop_id: Id.describe('The shop.'),
    name: z.string().describe('What you call it.'),
    what: z
      .enum(['trouble', 'silent', 'unmapped', 'farewell'])
      .describe(
        '`silent`: it lists orders that it has not reported, or has reported nothing for much longer than it used to. `unmapped`: it sells what nobody has mapped. `farewell`: it is deleted, closed or opened by another key, and still sends here what it was asked for.',
      ),
    detail: z.string().describe('The same in words.'),
  }),
});
export type ShopEvent = z.output<typeof ShopEvent>;
export type ShopNews = ShopEvent['data'];
