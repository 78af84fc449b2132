import type { HandSale } from '@tonerow/sdk';
import { list, money } from '#output/table.ts';
import { chosen } from '#output/zone.ts';

/** A sale by hand, with what the customer needs. */
export const saleFacts = (sale: HandSale): string =>
  list([
    ['Code', sale.code],
    ['Product', sale.product_name],
    ['Developer', sale.developer_name],
    ['Price', money(sale.price)],
    ['Redeem at', sale.redeem_url],
    ['Redeem by', chosen(sale.expires_at, 'end', sale.developer_time_zone)],
    ['Email', sale.email && `${sale.email.address || 'erased'} (${sale.email.state})`],
    ['State', sale.state.replace('_', ' ')],
    ['Note', sale.note],
    ['Reference', sale.reference],
  ]);
