import { type Insertable, type RawBuilder, sql } from 'kysely';
import { nameOf } from '#features/accounts';
import { developersOf } from '#features/partnerships';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvLine } from '#platform/csv/write.ts';
import type { Sql } from '#platform/db/database.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import { withValue } from '#platform/db/statements/with-value.ts';
import type { Columns, Tables } from '#platform/db/tables.ts';
import { ofTenants, ownJoin, ownLeftJoin } from '#platform/db/tenant.ts';
import { plainCentsSql, toDollars } from '#platform/money.ts';
import { type Export, innerBreaks } from '#platform/spool/exports.ts';
import { type DealsHandle, tables } from '../tables.ts';
import type { DealRequestStatus, DealRequestView } from './deal-requests.schemas.ts';

/** The tables of `r`, a request, `t`, its partnership, `p`, its product, `u`, the developer, and `b`, the batch that it led to. */
const TABLES = sql`deal_requests r ${ownJoin('partnerships as t', 't.id', 'r.partnership_id')}
  join users u on u.id = r.developer_id left join users w on w.id = t.reseller_id
  ${ownLeftJoin('products as p', 'p.id', 'r.product_id')} and p.deleted_at is null
  ${ownLeftJoin('batches as b', 'b.id', 'r.batch_id')}`;

/** A pending request that can be accepted. */
const IS_OPEN = sql<boolean>`r.status = 'pending' and t.status = 'active' and u.deleted_at is null and p.id is not null and not p.is_draft`;

/** An answer that the reseller has not taken note of. */
const UNSEEN = sql<boolean>`r.status in ('accepted', 'declined') and r.seen_at is null`;

const COLUMNS = sql`r.id, r.status, ${IS_OPEN} as is_open, r.product_id, coalesce(p.name, r.product_name) as product_name, p.image_url,
  r.developer_id, ${nameOf('u')} as developer_name, u.time_zone as developer_time_zone, t.id as reseller_id,
  t.name as reseller_name, coalesce(w.time_zone, 'UTC') as reseller_time_zone, r.price_cents, r.quantity,
  r.promo_start, r.promo_expires, r.expires_at, r.note, r.answer, r.created_at, r.answered_at, r.seen_at is not null as seen,
  b.id as batch_id, b.promo_price_cents as batch_price_cents, b.quantity as batch_quantity, b.promo_start as batch_start,
  b.promo_expires as batch_end, b.expires_at as batch_expires_at, b.batch_tag`;

interface Row extends Omit<DealRequestView, 'price' | 'accepted'>, Columns<'deal_requests', 'price_cents'> {
  batch_id: string | null;
  batch_price_cents: number;
  batch_quantity: number;
  batch_start: Date | null;
  batch_end: Date | null;
  batch_expires_at: Date | null;
  batch_tag: string | null;
}

/** Counting stops here: an account with so many sees that there are many. */
const MOST_COUNTED = 100;

/** Whose requests: those of a developer's resellers, or a reseller's own. */
type Side = { developerId: string } | { resellerId: string };

/** The same with the developers that a reseller sells for. */
type Asked = { developerId: string } | { resellerId: string; developers: readonly string[] };

const asked = async (handle: Sql, side: Side): Promise<Asked> =>
  'developerId' in side ? side : { ...side, developers: await developersOf(handle, side.resellerId) };

/** All requests of one side. A reseller doesn't see those of a partnership that has ended. */
const requestsOf = (side: Asked) =>
  'developerId' in side
    ? sql`from ${TABLES} where r.developer_id = ${side.developerId} and ${inList('r.created_at')}`
    : sql`from ${TABLES} where t.reseller_id = ${side.resellerId} and t.status <> 'ended' and ${ofTenants('r', side.developers)}`;

interface Chosen {
  status: DealRequestStatus | undefined;
  unseen?: boolean;
}

/** Those that are chosen. */
const chosenOf = (side: Asked, { status, unseen }: Chosen) =>
  sql.join(
    [
      requestsOf(side),
      ...(status === 'pending' ? [IS_OPEN] : status ? [sql`r.status = ${status}`] : []),
      ...(unseen ? [UNSEEN] : []),
    ],
    sql` and `,
  );

/** Newest first. `after` is the id the page before ended with. */
export async function listRequests(
  handle: Sql,
  side: Side,
  filter: Chosen & { after: string | null; limit: number; count: boolean },
): Promise<{ rows: DealRequestView[]; total: number | null }> {
  const of = await asked(handle, side);
  const further = filter.after ? sql`and r.id < ${filter.after}` : sql``;
  const { rows } = await sql<Row>`
    select ${COLUMNS} ${chosenOf(of, filter)} ${further} order by r.id desc limit ${filter.limit}`.execute(
    tables.in(handle),
  );
  return { rows: rows.map(view), total: filter.count ? await countRequests(handle, side, filter) : null };
}

/** How many `listRequests` would list in all. */
export async function countRequests(handle: Sql, side: Side, chosen: Chosen): Promise<number> {
  return count(handle, sql`select 1 ${chosenOf(await asked(handle, side), chosen)}`);
}

export async function findRequest(handle: Sql, side: Side, requestId: string): Promise<DealRequestView | undefined> {
  const of = await asked(handle, side);
  const { rows } = await sql<Row>`select ${COLUMNS} ${requestsOf(of)} and r.id = ${requestId}`.execute(
    tables.in(handle),
  );
  return rows[0] && view(rows[0]);
}

/** How many requests wait for the developer's answer. */
export function countOpen(handle: Sql, developerId: string): Promise<number> {
  return count(handle, sql`select 1 ${requestsOf({ developerId })} and ${IS_OPEN} limit ${sql.lit(MOST_COUNTED)}`);
}

const unseenOf = async (handle: Sql, resellerId: string) => sql`from partnerships t
  ${ownJoin('deal_requests as r', 'r.partnership_id', 't.id')}
  where t.reseller_id = ${resellerId} and ${ofTenants('t', await developersOf(handle, resellerId))} and ${UNSEEN}`;

/** How many answers the reseller has not taken note of. */
export async function countUnseen(handle: Sql, resellerId: string): Promise<number> {
  const unseen = await unseenOf(handle, resellerId);
  return count(handle, sql`select 1 ${unseen} and t.status <> 'ended' limit ${sql.lit(MOST_COUNTED)}`);
}

/** Answers that the reseller has not taken note of, of partnerships that have ended as well. */
export async function findUnseen(handle: Sql, resellerId: string, limit: number) {
  const { rows } = await sql<Columns<'deal_requests', 'developer_id' | 'id'>>`
    select r.developer_id, r.id ${await unseenOf(handle, resellerId)} limit ${limit}`.execute(tables.in(handle));
  return rows;
}

/** How many requests of a partnership are pending, whether they can be accepted or not. */
export async function countPending(handle: DealsHandle, developerId: string, partnershipId: string): Promise<number> {
  const { pending } = await handle
    .selectFrom('deal_requests')
    .select((eb) => eb.fn.countAll<number>().as('pending'))
    .where('developer_id', '=', developerId)
    .where('partnership_id', '=', partnershipId)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  return pending;
}

export async function addRequest(
  tx: DealsHandle,
  request: Omit<Insertable<Tables['deal_requests']>, 'status'>,
): Promise<void> {
  await tx
    .insertInto('deal_requests')
    .values({ ...request, status: 'pending' })
    .execute();
}

/** Answers or withdraws a request, unless somebody else was faster. */
export const answering = (tx: DealsHandle, developerId: string, id: string) =>
  tx
    .updateTable('deal_requests')
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .where('status', '=', 'pending');

/** Takes note of answers. */
export async function noteSeen(
  handle: DealsHandle,
  developerId: string,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  await handle
    .updateTable('deal_requests')
    .set({ seen_at: now })
    .where('developer_id', '=', developerId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('seen_at', 'is', null)
    .execute();
}

async function count(handle: Sql, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${query}) found`.execute(tables.in(handle));
  return rows[0]?.n ?? 0;
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
const dollars = (column: string) => sql.raw(plainCentsSql(column));
const text = (value: RawBuilder<unknown>) => withValue<string>((column) => innerBreaks(csvSafe(column)), value);

/** All requests, newest first. */
export async function requestsExport(
  handle: Sql,
  side: Side,
  status: DealRequestStatus | undefined,
  timeZone: string,
): Promise<Export> {
  const of = await asked(handle, side);
  const iso = (column: string) => sql.raw(csvMoment(column, timeZone));
  const toDeveloper = 'developerId' in side;
  const cells = [
    iso('r.created_at'),
    text(toDeveloper ? sql`t.name` : nameOf('u')),
    text(sql`coalesce(p.name, r.product_name)`),
    sql`r.status`,
    dollars('r.price_cents'),
    sql`r.quantity`,
    iso('r.promo_start'),
    iso('r.promo_expires'),
    iso('r.expires_at'),
    text(sql`r.note`),
    text(sql`r.answer`),
    iso('r.answered_at'),
    dollars('b.promo_price_cents'),
    sql`b.quantity`,
    text(sql`b.batch_tag`),
  ];
  return {
    format: 'csv',
    timeZone,
    header: csvLine(csvColumns(toDeveloper ? 'Reseller' : 'Developer')),
    lineEnd: '\r\n',
    feature: tables.feature,
    query: tables.text(sql`select ${sql.join(cells)} ${chosenOf(of, { status })} order by r.id desc`),
  };
}
