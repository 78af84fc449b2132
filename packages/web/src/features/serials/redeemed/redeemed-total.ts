import { formatMoney } from '../../../lib/format.ts';
import type { RedeemedSerial } from '../../../lib/types.ts';

/** The first present of the prices, in the order in which they were agreed last. */
export const totalOf = (row: RedeemedSerial): number | null =>
  row.total ?? row.final_price ?? row.promo_price ?? row.sale_price ?? row.price;

export const totalText = (row: RedeemedSerial): string => {
  const amount = totalOf(row);
  return amount === null ? '–' : formatMoney(amount);
};
