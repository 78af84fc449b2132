import { PassThrough, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { csvCell, csvLine } from '../../platform/csv/write.ts';
import { copyOut } from '../../platform/db/copy.ts';
import type { Database } from '../../platform/db/database.ts';
import type { MadeBatch } from './generate.ts';

export const SERIAL_COLUMNS = [
  'Serial',
  'Product',
  'Promo Price',
  'Promo Expires',
  'Active From',
  'Active To',
  'Batch Tag',
  'Notes',
];

/**
 * A generated batch as CSV or as one JSON object a line, in the order the codes were made. What the serials share is
 * the same on every line, so the database's stream only needs each of its lines completed.
 */
export function streamBatch(db: Database, batch: MadeBatch, format: 'csv' | 'ndjson'): Readable {
  const out = new PassThrough({ highWaterMark: 256 * 1024 });
  const lines = format === 'csv' ? csvLines(batch) : jsonLines(batch);
  const columns = format === 'csv' ? 'code' : 'id, code';
  // our own uuid, so that it can stand in the statement, which takes no parameters
  const statement = `copy (select ${columns} from serials where batch_id = '${batch.id}' order by id) to stdout`;
  if (format === 'csv') out.write(csvLine(SERIAL_COLUMNS));
  db.withClient((client) => pipeline(copyOut(client, statement), lines, out)).catch((error) => out.destroy(error));
  return out;
}

function csvLines(batch: MadeBatch): Transform {
  const shared = [
    batch.product_name,
    batch.promo_price,
    iso(batch.promo_expires),
    iso(batch.promo_start),
    iso(batch.expires_at),
    batch.batch_tag,
    batch.notes,
  ];
  const rest = `,${shared.map(csvCell).join(',')}\r\n`;
  return new Transform({
    // codes are ASCII; product names are not, so the text is put together as a string
    transform(chunk: Buffer, _encoding, done) {
      done(
        null,
        chunk.toString('latin1').replaceAll('\n', () => rest),
      );
    },
  });
}

function jsonLines(batch: MadeBatch): Transform {
  const rest = JSON.stringify({
    product_id: batch.product_id,
    reseller_id: batch.reseller_id,
    expires_at: iso(batch.expires_at),
    promo_price: batch.promo_price,
    promo_start: iso(batch.promo_start),
    promo_expires: iso(batch.promo_expires),
    batch_tag: batch.batch_tag,
    notes: batch.notes,
  }).slice(1);
  let half = '';
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const lines = (half + chunk.toString('latin1')).split('\n');
      half = lines.pop() ?? '';
      let text = '';
      for (const line of lines) {
        const tab = line.indexOf('\t');
        text += `{"id":"${line.slice(0, tab)}","code":"${line.slice(tab + 1)}",${rest}\n`;
      }
      done(null, text);
    },
  });
}

function iso(moment: Date | null): string | null {
  return moment?.toISOString() ?? null;
}
