import { toCsv } from '@tonerow/sdk/csv';
import { accountZone, isoIn } from '#lib/time/zone.ts';
import type { GeneratedSerial } from '#lib/types.ts';

const header = ['Serial', 'Product', 'Promo Price', 'Promo Expires', 'Active From', 'Active To', 'Batch Tag', 'Notes'];

const moment = (iso: string | null) => (iso === null ? null : isoIn(iso, accountZone()));

/** The same columns as the server's own stream. */
export function batchCsv(serials: GeneratedSerial[], product: string): string {
  return toCsv(
    header,
    serials.map((serial) => [
      serial.code,
      product,
      serial.promo_price,
      moment(serial.promo_expires),
      moment(serial.promo_start),
      moment(serial.expires_at),
      serial.batch_tag,
      serial.notes,
    ]),
  );
}
