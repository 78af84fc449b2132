import { type RawBuilder, sql } from 'kysely';
import { csvExport, csvText } from '#platform/csv/csv-export.ts';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import type { Export } from '#platform/spool/exports.ts';
import { dollars, IN_INDEX_ORDER } from '../list/serials-export.ts';
import { isSellable } from '../rules/availability-rules.ts';
import { B, BATCHES, OPEN, P } from '../rules/rows.ts';
import { tables } from '../tables.ts';

const CELLS = {
  Serial: csvSafe('s.code'),
  Product: 'b.product',
  'Promo Price': 'b.promo_price',
  'Promo Expires': 'b.promo_expires',
  'Active From': 'b.promo_start',
  'Active To': 'b.expires_at',
  'Batch Tag': 'b.batch_tag',
};

/** The serials of batches that a reseller may sell now, in the reseller's form: without the developer's notes. */
export function stockExport(
  developerId: string,
  batchIds: readonly string[],
  { now, timeZone }: { now: Date; timeZone: string },
): Export {
  const moment = (column: string) => sql.raw(csvMoment(column, timeZone));
  const text = (column: string) => sql.raw(csvText(column));
  const select = (row: RawBuilder<unknown>) => sql`
    select ${row} from (
      select b.id, ${text('p.name')} as product, ${sql.raw(dollars('b.promo_price_cents'))} as promo_price,
        ${moment('b.promo_expires')} as promo_expires, ${moment('b.promo_start')} as promo_start,
        ${moment('b.expires_at')} as expires_at, ${text('b.batch_tag')} as batch_tag
      from ${BATCHES}
      where b.developer_id = ${developerId} and b.id = any(${batchIds}::uuid[])
        and ${isSellable({ batch: B, product: P }, sql`${now}`)}
      order by b.id desc offset 0) b
    cross join lateral (
      select s.code from serials s
      where s.developer_id = ${developerId} and s.batch_id = b.id and ${OPEN} order by s.id desc) s`;
  return csvExport(tables, CELLS, select, { timeZone, settings: IN_INDEX_ORDER });
}
