import { plainAmount } from '#lib/format/amount.ts';
import { formatMoney } from '#lib/format/format.ts';
import type { RedeemedSerial } from '#lib/types.ts';

/** The first price that is set, starting with the one agreed most recently. */
const totalOf = (row: RedeemedSerial): number | null =>
  row.total ?? row.final_price ?? row.promo_price ?? row.sale_price ?? row.price;

export const totalText = (row: RedeemedSerial): string => {
  const amount = totalOf(row);
  return amount === null ? '–' : formatMoney(amount);
};

/** The total as written to a file. */
export const totalPlain = (row: RedeemedSerial): string | null => {
  const amount = totalOf(row);
  return amount === null ? null : plainAmount(amount);
};
