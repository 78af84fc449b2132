import pg from 'pg';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvLine } from '#platform/csv/write.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { type Export, innerBreaks } from '#platform/spool/exports.ts';
import { dollars, IN_INDEX_ORDER } from '../list/serials-export.ts';
import { OPEN, sellable } from '../rules/availability-rules.ts';

const COLUMNS = ['Serial', 'Product', 'Promo Price', 'Promo Expires', 'Active From', 'Active To', 'Batch Tag'];

/** What a reseller may sell now of batches, as they get it: without the developer's notes. */
export function stockExport(
  developerId: string,
  batchIds: readonly string[],
  { now, timeZone }: { now: Date; timeZone: string },
): Export {
  const moment = (column: string) => csvMoment(column, timeZone);
  const developer = pg.escapeLiteral(developerId);
  const ids = `any(${pg.escapeLiteral(`{${batchIds.join(',')}}`)}::uuid[])`;
  return {
    format: 'csv',
    timeZone,
    header: csvLine(COLUMNS),
    lineEnd: '\r\n',
    settings: IN_INDEX_ORDER,
    query: `select ${csvSafe('s.code')}, b.product, b.promo_price, b.promo_expires, b.promo_start, b.expires_at, b.batch_tag
      from (
        select b.id, ${innerBreaks(csvSafe('p.name'))} as product, ${dollars('b.promo_price_cents')} as promo_price,
          ${moment('b.promo_expires')} as promo_expires, ${moment('b.promo_start')} as promo_start, ${moment('b.expires_at')} as expires_at,
          ${innerBreaks(csvSafe('b.batch_tag'))} as batch_tag
        from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
        where b.developer_id = ${developer} and b.id = ${ids} and ${sellable(`${pg.escapeLiteral(now.toISOString())}::timestamptz`)}
        order by b.id desc offset 0) b
      cross join lateral (
        select s.code from serials s
        where s.developer_id = ${developer} and s.batch_id = b.id and ${OPEN} order by s.id desc) s`,
  };
}
