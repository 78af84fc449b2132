import pg from 'pg';
import { accountName } from '#features/accounts';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvLine } from '#platform/csv/write.ts';
import type { Sql } from '#platform/db/database.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { toDollars } from '#platform/money.ts';
import { type Export, innerBreaks } from '#platform/spool/exports.ts';
import type { DealRequestStatus, DealRequestView } from './deal-requests.schemas.ts';

/** Of `r`, a request, `t`, its partnership, `p`, its product, `u`, the developer, and `b`, the batch that it led to. */
const TABLES = `deal_requests r join partnerships t on (t.developer_id, t.id) = (r.developer_id, r.partnership_id)
  join users u on u.id = r.developer_id left join users w on w.id = t.reseller_id
  left join products p on (p.developer_id, p.id) = (r.developer_id, r.product_id) and p.deleted_at is null
  left join batches b on (b.developer_id, b.id) = (r.developer_id, r.batch_id)`;

/** A pending request that can be accepted. */
const IS_OPEN = `r.status = 'pending' and t.status = 'active' and u.deleted_at is null and p.id is not null and not p.is_draft`;

/** An answer that the reseller has not taken note of. */
const UNSEEN = `r.status in ('accepted', 'declined') and r.seen_at is null`;

const COLUMNS = `r.id, r.status, ${IS_OPEN} as is_open, r.product_id, coalesce(p.name, r.product_name) as product_name, p.image_url,
  r.developer_id, ${accountName('u')} as developer_name, u.time_zone as developer_time_zone, t.id as reseller_id,
  t.name as reseller_name, coalesce(w.time_zone, 'UTC') as reseller_time_zone, r.price_cents, r.quantity,
  r.promo_start, r.promo_expires, r.expires_at, r.note, r.answer, r.created_at, r.answered_at, r.seen_at is not null as seen,
  b.id as batch_id, b.promo_price_cents as batch_price_cents, b.quantity as batch_quantity, b.promo_start as batch_start,
  b.promo_expires as batch_end, b.expires_at as batch_expires_at, b.batch_tag`;

interface Row extends Omit<DealRequestView, 'price' | 'accepted'> {
  price_cents: number;
  batch_id: string | null;
  batch_price_cents: number;
  batch_quantity: number;
  batch_start: Date | null;
  batch_end: Date | null;
  batch_expires_at: Date | null;
  batch_tag: string | null;
}

/** Nothing more is counted: whoever has so many sees that there are many. */
const MOST_COUNTED = 100;

/** Whose requests: those of a developer's resellers, or a reseller's own. */
type Side = { developerId: string } | { resellerId: string };

/** A reseller doesn't see those of a partnership that has ended. */
function sideOf(side: Side): { across: string; own: string; id: string } {
  return 'developerId' in side
    ? { across: '', own: `r.developer_id = $1 and ${listOf('r')}`, id: side.developerId }
    : {
        across: '/* across tenants: a reseller works with many developers */ ',
        own: `t.reseller_id = $1 and t.status <> 'ended'`,
        id: side.resellerId,
      };
}

const stateOf = (status: DealRequestStatus | undefined) =>
  status === 'pending' ? IS_OPEN : status ? `r.status = '${status}'` : 'true';

/** Newest first. `after` is the id the page before ended with. */
export async function listRequests(
  sql: Sql,
  side: Side,
  filter: { status: DealRequestStatus | undefined; unseen?: boolean; after: string | null; limit: number },
): Promise<{ rows: DealRequestView[]; total: number }> {
  const { across, own, id } = sideOf(side);
  const condition = `${own} and ${stateOf(filter.status)} and ${filter.unseen ? UNSEEN : 'true'}`;
  const rows = await sql.query<Row>(
    `${across}select ${COLUMNS} from ${TABLES} where ${condition} and ($2::uuid is null or r.id < $2) order by r.id desc limit $3`,
    [id, filter.after, filter.limit],
  );
  return { rows: rows.map(view), total: await countRequests(sql, side, filter) };
}

/** How many `listRequests` would list in all. */
export function countRequests(
  sql: Sql,
  side: Side,
  { status, unseen }: { status: DealRequestStatus | undefined; unseen?: boolean },
): Promise<number> {
  const { across, own, id } = sideOf(side);
  return count(
    sql,
    `${across}select count(*)::int as n from ${TABLES}
     where ${own} and ${stateOf(status)} and ${unseen ? UNSEEN : 'true'}`,
    id,
  );
}

export async function findRequest(sql: Sql, side: Side, requestId: string): Promise<DealRequestView | undefined> {
  const { across, own, id } = sideOf(side);
  const [row] = await sql.query<Row>(`${across}select ${COLUMNS} from ${TABLES} where ${own} and r.id = $2`, [
    id,
    requestId,
  ]);
  return row && view(row);
}

/** How many requests wait for the developer's answer. */
export function countOpen(sql: Sql, developerId: string): Promise<number> {
  return count(
    sql,
    `select count(*)::int as n from (select 1 from ${TABLES}
       where r.developer_id = $1 and ${listOf('r')} and ${IS_OPEN} limit ${MOST_COUNTED}) open`,
    developerId,
  );
}

/** How many answers the reseller has not taken note of. */
export function countUnseen(sql: Sql, resellerId: string): Promise<number> {
  return count(
    sql,
    `/* across tenants: a reseller works with many developers */
     select count(*)::int as n from (select 1 from partnerships t
         join deal_requests r on (r.developer_id, r.partnership_id) = (t.developer_id, t.id)
       where t.reseller_id = $1 and t.status <> 'ended' and ${UNSEEN}
       limit ${MOST_COUNTED}) unseen`,
    resellerId,
  );
}

async function count(sql: Sql, query: string, id: string): Promise<number> {
  const [row] = await sql.query<{ n: number }>(query, [id]);
  return row?.n ?? 0;
}

function view(row: Row): DealRequestView {
  const {
    price_cents,
    batch_id,
    batch_price_cents,
    batch_quantity,
    batch_start,
    batch_end,
    batch_expires_at,
    batch_tag,
  } = row;
  return {
    id: row.id,
    status: row.status,
    is_open: row.is_open,
    product_id: row.product_id,
    product_name: row.product_name,
    image_url: row.image_url,
    developer_id: row.developer_id,
    developer_name: row.developer_name,
    developer_time_zone: row.developer_time_zone,
    reseller_id: row.reseller_id,
    reseller_name: row.reseller_name,
    reseller_time_zone: row.reseller_time_zone,
    price: toDollars(price_cents),
    quantity: row.quantity,
    promo_start: row.promo_start,
    promo_expires: row.promo_expires,
    expires_at: row.expires_at,
    note: row.note,
    answer: row.answer,
    accepted: batch_id
      ? {
          batch_id,
          price: toDollars(batch_price_cents),
          quantity: batch_quantity,
          promo_start: batch_start,
          promo_expires: batch_end,
          expires_at: batch_expires_at,
          batch_tag,
        }
      : null,
    created_at: row.created_at,
    answered_at: row.answered_at,
    seen: row.seen,
  };
}

const csvColumns = (other: 'Developer' | 'Reseller') => [
  'Requested',
  other,
  'Product',
  'Status',
  'Price',
  'Quantity',
  'Promo Starts',
  'Promo Expires',
  'Redeem By',
  'Note',
  'Answer',
  'Answered',
  'Accepted Price',
  'Accepted Quantity',
  'Batch Tag',
];
const dollars = (column: string) => `round(${column} / 100.0, 2)`;
const text = (column: string) => innerBreaks(csvSafe(column));

/** All requests, newest first. */
export function requestsExport(side: Side, status: DealRequestStatus | undefined, timeZone: string): Export {
  const iso = (column: string) => csvMoment(column, timeZone);
  const { across, own, id } = sideOf(side);
  const toDeveloper = 'developerId' in side;
  const cells = [
    iso('r.created_at'),
    text(toDeveloper ? 't.name' : accountName('u')),
    text('coalesce(p.name, r.product_name)'),
    'r.status',
    dollars('r.price_cents'),
    'r.quantity',
    iso('r.promo_start'),
    iso('r.promo_expires'),
    iso('r.expires_at'),
    text('r.note'),
    text('r.answer'),
    iso('r.answered_at'),
    dollars('b.promo_price_cents'),
    'b.quantity',
    text('b.batch_tag'),
  ];
  return {
    format: 'csv',
    timeZone,
    header: csvLine(csvColumns(toDeveloper ? 'Reseller' : 'Developer')),
    lineEnd: '\r\n',
    query: `${across}select ${cells.join(', ')} from ${TABLES}
      where ${own.replace('$1', pg.escapeLiteral(id))} and ${stateOf(status)} order by r.id desc`,
  };
}
