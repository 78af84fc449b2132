import { toCsv } from '../../../lib/download.ts';
import type { GeneratedSerial } from '../../../lib/types.ts';

const header = ['Serial', 'Product', 'Promo Price', 'Promo Expires', 'Active From', 'Active To', 'Batch Tag', 'Notes'];

/** The same columns as the server's own stream. */
export function batchCsv(serials: GeneratedSerial[], product: string): string {
  return toCsv(
    header,
    serials.map((serial) => [
      serial.code,
      product,
      serial.promo_price,
      serial.promo_expires,
      serial.promo_start,
      serial.expires_at,
      serial.batch_tag,
      serial.notes,
    ]),
  );
}
