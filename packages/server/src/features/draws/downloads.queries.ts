import { sql } from 'kysely';
import { nameOrClosed } from '#features/accounts';
import { developersOf } from '#features/partnerships';
import { OPEN, sellable } from '#features/serials';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvLine } from '#platform/csv/write.ts';
import type { Sql } from '#platform/db/database.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { withValue } from '#platform/db/statements/with-value.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ofTenants, ownJoin, ownLeftJoin } from '#platform/db/tenant.ts';
import { type Export, innerBreaks } from '#platform/spool/exports.ts';
import type { StockDownload } from './downloads.schemas.ts';
import { tables } from './tables.ts';

interface Download {
  id: string;
  developerId: string;
  partnershipId: string;
  productId: string;
  batchIds: readonly string[];
  now: Date;
}

/** Records how many codes of each batch go into a file; nothing for a file without codes. @returns how many in all. */
export async function recordDownload(handle: Sql, download: Download): Promise<number> {
  const { id, developerId, partnershipId, productId, batchIds, now } = download;
  const { rows } = await sql<Columns<'serial_downloads', 'codes'>>`
    insert into serial_downloads (developer_id, id, batch_id, batch_tag, partnership_id, product_id, codes, downloaded_at)
    select ${developerId}::uuid, ${id}::uuid, each.id, each.batch_tag, ${partnershipId}::uuid, ${productId}::uuid, each.n, ${now}::timestamptz
    from (
      select b.id, b.batch_tag, k.n
      from batches b ${ownJoin('products as p', 'p.id', 'b.product_id')}
        cross join lateral (
          select count(*) as n from serials s where s.developer_id = ${developerId} and s.batch_id = b.id and ${OPEN}) k
      where b.developer_id = ${developerId} and b.id = any(${batchIds}::uuid[]) and ${sellable(now)}) each
    where each.n > 0 returning codes`.execute(tables.in(handle));
  return rows.reduce((sum, { codes }) => sum + codes, 0);
}

export interface DownloadFilter {
  /** The files of the reseller with this account, … */
  resellerId: string | null;
  /** … or of this developer. */
  developerId: string | null;
  partnershipId: string | null;
  productId: string | null;
  batchId: string | null;
}

/** Newest first. `after` is the id the page before ended with. */
export async function listDownloads(
  handle: Sql,
  { resellerId, developerId, partnershipId, productId, batchId }: DownloadFilter,
  after: string | null,
  limit: number,
): Promise<StockDownload[]> {
  const developers = developerId ? [developerId] : resellerId ? await developersOf(handle, resellerId) : [];
  const fitting = sql.join(
    [
      ofTenants('t', developers),
      ...(resellerId ? [sql`t.reseller_id = ${resellerId}`] : []),
      ...(partnershipId ? [sql`t.id = ${partnershipId}`] : []),
      ...(productId ? [sql`d.product_id = ${productId}`] : []),
      ...(batchId ? [sql`d.batch_id = ${batchId}`] : []),
      ...(after ? [sql`d.id < ${after}`] : []),
    ],
    sql` and `,
  );
  const { rows } = await sql<StockDownload>`
    select f.id, f.downloaded_at, f.developer_id, f.developer_name, f.partnership_id as reseller_id, f.reseller_name, f.product_id,
      p.name as product_name, f.codes, f.batches
    from (
      select d.id, d.downloaded_at, d.developer_id, ${nameOrClosed('u')} as developer_name, d.partnership_id, t.name as reseller_name, d.product_id,
        sum(d.codes)::int as codes,
        to_json((array_agg(json_build_object('batch_id', d.batch_id, 'batch_tag', d.batch_tag, 'codes', d.codes)
          order by d.batch_id))[1:100]) as batches
      from partnerships t ${ownJoin('serial_downloads as d', 'd.partnership_id', 't.id')}
        join users u on u.id = t.developer_id
      where ${fitting}
      group by d.id, d.downloaded_at, d.developer_id, u.id, d.partnership_id, t.name, d.product_id
      order by d.id desc limit ${limit}) f
    ${ownLeftJoin('products as p', 'p.id', 'f.product_id')}
      and ${ofTenants('p', developers)}
    order by f.id desc`.execute(tables.in(handle));
  return rows;
}

const COLUMNS = ['Downloaded', 'Developer', 'Product', 'Batch Tag', 'Codes'];

/** A line for each batch in a file that a reseller took, newest file first. */
export async function downloadsExport(
  handle: Sql,
  resellerId: string,
  productId: string | null,
  timeZone: string,
): Promise<Export> {
  const developers = await developersOf(handle, resellerId);
  const cells = [
    sql.raw(csvMoment('d.downloaded_at', timeZone)),
    withValue((text) => innerBreaks(csvSafe(text)), nameOrClosed('u')),
    sql.raw(innerBreaks(csvSafe("coalesce(p.name, '')"))),
    sql.raw(innerBreaks(csvSafe('d.batch_tag'))),
    sql`d.codes`,
  ];
  return {
    format: 'csv',
    timeZone,
    header: csvLine(COLUMNS),
    lineEnd: '\r\n',
    feature: tables.feature,
    query: tables.text(sql`
      select ${sql.join(cells)}
      from partnerships t ${ownJoin('serial_downloads as d', 'd.partnership_id', 't.id')}
        join users u on u.id = t.developer_id
        ${ownLeftJoin('products as p', 'p.id', 'd.product_id')}
      where t.reseller_id = ${resellerId} and ${ofTenants('t', developers)} ${productId ? sql`and d.product_id = ${productId}` : sql``}
      order by d.id desc, d.batch_id`),
  };
}
