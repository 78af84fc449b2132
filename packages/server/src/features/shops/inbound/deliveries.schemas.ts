import { z } from 'zod';
import { Cursor, Id, Limit, Time } from '#platform/http/schemas.ts';

export const deliveryStates = ['received', 'done', 'ignored', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

const DeliveryView = z
  .object({
    id: Id,
    event: z.string().describe('What it reports, in the shop’s words.'),
    state: z
      .enum(deliveryStates)
      .describe('`received`: it waits to be worked on. `failed`: it could not be understood.'),
    why: z.string().nullable().describe('Why it was ignored or could not be used; null: it was used.'),
    order_key: z.string().nullable().describe('The shop’s id of the order that it is about; null: none.'),
    order_id: Id.nullable().describe('That order, once it is known here; null: it is not.'),
    order_number: z.string().nullable().describe('As people call that order.'),
    received_at: Time.describe('When it came.'),
  })
  .meta({ id: 'ShopDelivery' });
export type DeliveryView = z.output<typeof DeliveryView>;

export const DeliveriesQuery = z.object({ limit: Limit, cursor: Cursor });
export const DeliveryPage = z
  .object({
    rows: z.array(DeliveryView).describe('Newest first, of the last 90 days.'),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'ShopDeliveryPage' });
