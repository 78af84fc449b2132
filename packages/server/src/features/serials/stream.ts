import { Readable } from 'node:stream';
import { csvLine } from '../../platform/csv/write.ts';
import type { Database } from '../../platform/db/database.ts';
import { SERIAL_COLUMNS } from './batch-stream.ts';
import { listSerials, type SerialFilter } from './serials.queries.ts';
import type { SerialView } from './serials.schemas.ts';

export type StreamFormat = 'csv' | 'ndjson';

const PAGE = 5000;

/** All serials that fit, read in pages, so that memory does not grow with their number. */
export function streamSerials(db: Database, filter: SerialFilter, format: StreamFormat): Readable {
  async function* lines() {
    if (format === 'csv') yield csvLine(SERIAL_COLUMNS);
    let after: string | null = null;
    for (;;) {
      const rows: SerialView[] = await listSerials(db, filter, after, PAGE);
      if (rows.length > 0) yield rows.map(format === 'csv' ? csvOf : jsonOf).join('');
      after = rows.at(-1)?.id ?? null;
      if (rows.length < PAGE) return;
    }
  }
  return Readable.from(lines());
}

function csvOf(serial: SerialView): string {
  return csvLine([
    serial.code,
    serial.product_name,
    serial.promo_price,
    serial.promo_expires?.toISOString(),
    serial.promo_start?.toISOString(),
    serial.expires_at?.toISOString(),
    serial.batch_tag,
    serial.notes,
  ]);
}

function jsonOf(serial: SerialView): string {
  return `${JSON.stringify(serial)}\n`;
}
