import pg from 'pg';
import { accountNameOrClosed } from '#features/accounts';
import { OPEN, sellable } from '#features/serials';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvLine } from '#platform/csv/write.ts';
import type { Sql } from '#platform/db/database.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { type Export, innerBreaks } from '#platform/spool/exports.ts';
import type { StockDownload } from './downloads.schemas.ts';

interface Download {
  id: string;
  developerId: string;
  partnershipId: string;
  productId: string;
  batchIds: readonly string[];
  now: Date;
}

/** Records how many codes of each batch go into a file; nothing for a file without codes. @returns how many in all. */
export async function recordDownload(sql: Sql, download: Download): Promise<number> {
  const { id, developerId, partnershipId, productId, batchIds, now } = download;
  const rows = await sql.query<{ codes: number }>(
    `insert into serial_downloads (developer_id, id, batch_id, batch_tag, partnership_id, product_id, codes, downloaded_at)
     select $1, $2, each.id, each.batch_tag, $3, $4, each.n, $5 from (
       select b.id, b.batch_tag,
         (select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${OPEN}) as n
       from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
       where b.developer_id = $1 and b.id = any($6) and ${sellable('$5')}) each
     where each.n > 0 returning codes`,
    [developerId, id, partnershipId, productId, now, batchIds],
  );
  return rows.reduce((sum, { codes }) => sum + codes, 0);
}

export interface DownloadFilter {
  /** Of the reseller with this account, … */
  resellerId: string | null;
  /** … or of this developer. */
  developerId: string | null;
  partnershipId: string | null;
  productId: string | null;
  batchId: string | null;
}

const DEVELOPER = accountNameOrClosed('u');

/** Newest first. `after` is the id the page before ended with. */
export async function listDownloads(
  sql: Sql,
  filter: DownloadFilter,
  after: string | null,
  limit: number,
): Promise<StockDownload[]> {
  return sql.query<StockDownload>(
    `/* across tenants: a reseller takes files of many developers */
     select f.id, f.downloaded_at, f.developer_id, f.developer_name, f.partnership_id as reseller_id, f.reseller_name, f.product_id,
       p.name as product_name, f.codes, f.batches
     from (
       select d.id, d.downloaded_at, d.developer_id, ${DEVELOPER} as developer_name, d.partnership_id, t.name as reseller_name, d.product_id,
         sum(d.codes)::int as codes,
         to_json((array_agg(json_build_object('batch_id', d.batch_id, 'batch_tag', d.batch_tag, 'codes', d.codes)
           order by d.batch_id))[1:100]) as batches
       from partnerships t join serial_downloads d on (d.developer_id, d.partnership_id) = (t.developer_id, t.id)
         join users u on u.id = t.developer_id
       where ($1::uuid is null or t.reseller_id = $1) and ($2::uuid is null or t.developer_id = $2)
         and ($3::uuid is null or t.id = $3) and ($4::uuid is null or d.product_id = $4)
         and ($5::uuid is null or d.batch_id = $5) and ($6::uuid is null or d.id < $6)
       group by d.id, d.downloaded_at, d.developer_id, u.id, d.partnership_id, t.name, d.product_id
       order by d.id desc limit $7) f
     left join products p on (p.developer_id, p.id) = (f.developer_id, f.product_id) order by f.id desc`,
    [filter.resellerId, filter.developerId, filter.partnershipId, filter.productId, filter.batchId, after, limit],
  );
}

const COLUMNS = ['Downloaded', 'Developer', 'Product', 'Batch Tag', 'Codes'];

/** A line for each batch in a file that a reseller took, newest file first. */
export function downloadsExport(resellerId: string, productId: string | null, timeZone: string): Export {
  const ofProduct = productId ? ` and d.product_id = ${pg.escapeLiteral(productId)}` : '';
  const cells = [
    csvMoment('d.downloaded_at', timeZone),
    innerBreaks(csvSafe(DEVELOPER)),
    innerBreaks(csvSafe("coalesce(p.name, '')")),
    innerBreaks(csvSafe('d.batch_tag')),
    'd.codes',
  ];
  return {
    format: 'csv',
    timeZone,
    header: csvLine(COLUMNS),
    lineEnd: '\r\n',
    query: `/* across tenants: a reseller takes files of many developers */
      select ${cells.join(', ')}
      from partnerships t join serial_downloads d on (d.developer_id, d.partnership_id) = (t.developer_id, t.id)
        join users u on u.id = t.developer_id
        left join products p on (p.developer_id, p.id) = (d.developer_id, d.product_id)
      where t.reseller_id = ${pg.escapeLiteral(resellerId)}${ofProduct} order by d.id desc, d.batch_id`,
  };
}
