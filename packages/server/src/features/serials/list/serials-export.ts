import { type Expression, sql } from 'kysely';
import { csvText } from '#platform/csv/csv-export.ts';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvLine } from '#platform/csv/write.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { plainCentsSql } from '#platform/money.ts';
import type { Export } from '#platform/spool/exports.ts';
import { BATCHES } from '../rules/rows.ts';
import { tables } from '../tables.ts';
import { batchesThatFit, codePattern, type SerialFilter, serialCondition } from './serial-list.queries.ts';

export type StreamFormat = 'csv' | 'ndjson';

const SERIAL_COLUMNS = [
  'Serial',
  'Product',
  'Promo Price',
  'Promo Expires',
  'Active From',
  'Active To',
  'Batch Tag',
  'Notes',
];

/** Rows come batch by batch from an index, so nothing is sorted, whatever the statistics of a table that just grew. */
export const IN_INDEX_ORDER = { enable_seqscan: 'off', enable_bitmapscan: 'off', enable_sort: 'off' };

export const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
export const dollars = (column: string) => `trim_scale(${plainCentsSql(column)})`;

const OWN = sql`s.id, s.code, s.revoked_at, s.redeemed_at, s.handed_out_at, s.download_count`;

/** All serials that fit, newest batch first and newest serial first within each. */
export function serialsExport(filter: SerialFilter, format: StreamFormat, timeZone: string): Export {
  const { developerId, search } = filter;
  const code = codePattern(search);
  const state = serialCondition(filter);
  const shape = format === 'csv' ? csvShape(timeZone) : LISTED;
  const shared = sql`select b.id, b.expires_at as ends, ${shape.shared} from ${BATCHES} where ${batchesThatFit(filter)}`;
  // the beginning of a code has an index of its own; everything else goes through the batches
  const source = code
    ? sql`(select ${OWN}, s.batch_id from serials s where s.developer_id = ${developerId} and s.code_key like ${code}) s
         join (${shared}) b on b.id = s.batch_id where ${state} order by s.id desc`
    : sql`(${shared} order by b.id desc offset 0) b cross join lateral (
         select ${OWN} from serials s where s.batch_id = b.id and s.developer_id = ${developerId} and ${state} order by s.id desc) s`;
  return {
    ...shapeOf(format, timeZone),
    query: tables.text(sql`select ${shape.line} from ${source}`),
    ...(code ? {} : { settings: IN_INDEX_ORDER }),
  };
}

/** A generated batch, in the order in which its codes were made. */
export function batchExport(developerId: string, batchId: string, format: StreamFormat, timeZone: string): Export {
  const { shared, line } = format === 'csv' ? csvShape(timeZone) : MADE;
  return {
    ...shapeOf(format, timeZone),
    query: tables.text(sql`select ${line} from (
        select b.id, ${shared} from ${BATCHES} where b.developer_id = ${developerId} and b.id = ${batchId} offset 0) b
      cross join lateral (
        select s.id, s.code from serials s where s.batch_id = b.id and s.developer_id = ${developerId} order by s.id) s`),
    settings: IN_INDEX_ORDER,
  };
}

function shapeOf(format: StreamFormat, timeZone: string): Omit<Export, 'query' | 'settings'> {
  const { feature } = tables;
  return format === 'csv'
    ? { feature, format: 'csv', header: csvLine(SERIAL_COLUMNS), lineEnd: '\r\n', timeZone }
    : { feature, format: 'lines' };
}

/** Columns that a batch's serials share are computed once per batch, their own columns once per serial. */
interface Shape {
  shared: Expression<unknown>;
  line: Expression<unknown>;
}

const shapeOfText = (shared: string, line: string): Shape => ({ shared: sql.raw(shared), line: sql.raw(line) });

const csvShape = (timeZone: string): Shape =>
  shapeOfText(
    [
      `${csvText('p.name')} as product`,
      `${dollars('b.promo_price_cents')} as promo_price`,
      `${csvMoment('b.promo_expires', timeZone)} as promo_expires`,
      `${csvMoment('b.promo_start', timeZone)} as promo_start`,
      `${csvMoment('b.expires_at', timeZone)} as expires_at`,
      `${csvText('b.batch_tag')} as batch_tag`,
      `${csvText('b.notes')} as notes`,
    ].join(', '),
    `${csvSafe('s.code')}, b.product, b.promo_price, b.promo_expires, b.promo_start, b.expires_at, b.batch_tag, b.notes`,
  );

/** One JSON object: the fields of a serial, then those of its batch. */
function jsonShape(own: string, shared: Record<string, string>): Shape {
  const fields = Object.entries(shared).map(([name, value]) => `'${name}', ${value}`);
  return shapeOfText(
    `substr(json_build_object(${fields.join(', ')})::text, 2) as rest`,
    `'{' || ${own} || ', ' || b.rest`,
  );
}

const SHARED_FIELDS = {
  product_id: 'b.product_id',
  reseller_id: 'b.partnership_id',
  promo_price: dollars('b.promo_price_cents'),
  promo_start: iso('b.promo_start'),
  promo_expires: iso('b.promo_expires'),
  expires_at: iso('b.expires_at'),
  batch_tag: 'b.batch_tag',
  notes: 'b.notes',
};

const CODE = 'to_json(s.code)::text';
const moment = (column: string) => `coalesce('"' || ${iso(column)} || '"', 'null')`;

const MADE = jsonShape(`'"id": "' || s.id || '", "code": ' || ${CODE}`, SHARED_FIELDS);

const LISTED = jsonShape(
  `'"id": "' || s.id || '", "code": ' || ${CODE} || ', "serial": ' || ${CODE}
     || ', "revoked": ' || (case when s.revoked_at is null then 'false, "status": "active"' else 'true, "status": "revoked"' end)
     || ', "redeemed_at": ' || ${moment('s.redeemed_at')} || ', "handed_out_at": ' || ${moment('s.handed_out_at')} || ', "download_count": ' || s.download_count`,
  {
    product: 'p.name',
    product_name: 'p.name',
    image_url: 'p.image_url',
    batch_id: 'b.id',
    created_at: iso('b.created_at'),
    ...SHARED_FIELDS,
  },
);
