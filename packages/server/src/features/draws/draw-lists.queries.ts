import { type RawBuilder, sql } from 'kysely';
import { nameOrClosed } from '#features/accounts';
import { developersOf } from '#features/partnerships';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvLine } from '#platform/csv/write.ts';
import type { Sql } from '#platform/db/database.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { foldedOf, likeFolded } from '#platform/db/statements/like.ts';
import { withValue } from '#platform/db/statements/with-value.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ofTenants, ownJoin, ownLeftJoin, ownMatch } from '#platform/db/tenant.ts';
import { dollarsSql } from '#platform/money.ts';
import { type Export, innerBreaks } from '#platform/spool/exports.ts';
import { type DrawRow, findDraw } from './draw.queries.ts';
import type { DrawRecord, DrawState } from './draws.schemas.ts';
import { tables } from './tables.ts';

export interface DrawFilter {
  resellerId: string;
  state: DrawState | undefined;
  productId: string | undefined;
  developerId: string | undefined;
  search: string | undefined;
}

/** The state of `i`, what a draw handed out, and `s`, its serial, which may be gone. */
export const STATE = sql<DrawState>`case when i.returned_at is not null then 'returned' when s.id is null or s.revoked_at is not null then 'revoked'
  when s.redeemed_at is not null then 'redeemed' else 'handed_out' end`;
export const ITEMS = sql`draw_items i ${ownLeftJoin('serials as s', 's.id', 'i.serial_id')}`;
/** Draws `d` of these developers, with what was drawn and whose it is. */
export const drawsOf = (developers: readonly string[]) => sql`draws d
  ${ownLeftJoin('products as p', 'p.id', 'd.product_id')} and ${ofTenants('p', developers)}
  join users u on u.id = d.developer_id`;
export const ofDraw = (developers: readonly string[]) =>
  sql`${ownMatch('i.draw_id', 'd.id')} and ${ofTenants('i', developers)}`;

/** The developer that is asked for, or all whose serials the reseller sells. */
const among = async (handle: Sql, { resellerId, developerId }: DrawFilter): Promise<readonly string[]> =>
  developerId === undefined ? developersOf(handle, resellerId) : [developerId];

/** Whether draw `d` fits the filter. */
function fitting({ resellerId, state, productId, search }: DrawFilter, developers: readonly string[]) {
  const like = search && likeFolded(search);
  // read separately, not beside draw `d`: every machine has that, and only some have what belongs to it
  const having = (rows: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql`(d.developer_id, d.id) in (
    select i.developer_id, i.draw_id from ${rows} ${ownJoin('draws as o', 'o.id', 'i.draw_id')}
    where o.reseller_id = ${resellerId} and ${ofTenants('i', developers)} and ${condition})`;
  const conditions = [
    sql`d.reseller_id = ${resellerId} and ${ofTenants('d', developers)}`,
    ...(productId ? [sql`d.product_id = ${productId}`] : []),
    ...(like
      ? [
          sql`(${foldedOf(sql`d.reference`)} like ${like}
            or ${having(sql`draw_items i`, sql`${foldedOf(sql`i.code`)} like ${like}`)})`,
        ]
      : []),
    ...(state ? [having(ITEMS, sql`${STATE} = ${state}`)] : []),
  ];
  return sql.join(conditions, sql` and `);
}

interface Row extends DrawRow, Columns<'draws', 'note'> {
  product_name: string | null;
  developer_name: string;
  developer_time_zone: string;
  sold_for: number | null;
}

const select = (developers: readonly string[], where: RawBuilder<unknown>) => sql<Row>`
  select d.id, d.reference, d.developer_id, d.product_id, d.batch_tag, d.quantity, d.created_at, p.name as product_name,
    ${nameOrClosed('u')} as developer_name, u.time_zone as developer_time_zone, ${sql.raw(dollarsSql('d.sold_for_cents'))} as sold_for, d.note
  from ${drawsOf(developers)} where ${where}`;

/** Newest first. `after` is the id the page before ended with. */
export async function listDraws(
  handle: Sql,
  filter: DrawFilter,
  after: string | null,
  limit: number,
  count: boolean,
): Promise<{ rows: DrawRecord[]; total: number | null }> {
  const db = tables.in(handle);
  const developers = await among(handle, filter);
  const fit = fitting(filter, developers);
  const further = after ? sql`and d.id < ${after}` : sql``;
  const { rows } = await select(developers, sql`${fit} ${further} order by d.id desc limit ${limit}`).execute(db);
  const page = await withSerials(handle, rows);
  if (!count) return { rows: page, total: null };
  const counted = await sql<{ n: number }>`select count(*) as n from draws d where ${fit}`.execute(db);
  return { rows: page, total: counted.rows[0]?.n ?? 0 };
}

export async function findDrawRecord(
  handle: Sql,
  resellerId: string,
  reference: string,
): Promise<DrawRecord | undefined> {
  const draw = await findDraw(handle, resellerId, reference);
  if (!draw) return undefined;
  const found = sql`d.reseller_id = ${resellerId} and d.reference = ${reference}`;
  const { rows } = await select([draw.developer_id], found).execute(tables.in(handle));
  return (await withSerials(handle, rows))[0];
}

async function withSerials(handle: Sql, draws: Row[]): Promise<DrawRecord[]> {
  const developers = draws.map(({ developer_id }) => developer_id);
  const { rows: serials } = await sql<DrawRecord['serials'][number] & Columns<'draw_items', 'draw_id'>>`
    select i.draw_id, i.code, i.expires_at, i.returned_at, s.redeemed_at, ${STATE} as state
    from unnest(${developers}::uuid[], ${draws.map(({ id }) => id)}::uuid[]) d (developer_id, id) join ${ITEMS} on ${ofDraw([...new Set(developers)])}
    order by i.serial_id`.execute(tables.in(handle));
  const records = new Map<string, DrawRecord>(
    draws.map((draw) => [
      draw.id,
      { ...draw, states: { handed_out: 0, redeemed: 0, revoked: 0, returned: 0 }, serials: [] },
    ]),
  );
  for (const { draw_id, ...serial } of serials) {
    const record = records.get(draw_id);
    if (!record) continue;
    // the customer of a code that was returned belongs to another shop
    const redeemed_at = serial.state === 'returned' ? null : serial.redeemed_at;
    record.serials.push({ ...serial, redeemed_at });
    record.states[serial.state] += 1;
  }
  return [...records.values()];
}

const COLUMNS = [
  'Reference',
  'Handed Out',
  'Developer',
  'Product',
  'Batch Tag',
  'Serial',
  'State',
  'Redeem By',
  'Redeemed',
  'Returned',
];

/** A line for each code, newest draw first. */
export async function drawsExport(handle: Sql, filter: DrawFilter, timeZone: string): Promise<Export> {
  const developers = await among(handle, filter);
  const iso = (column: string) => sql.raw(csvMoment(column, timeZone));
  const cell = (column: string) => sql.raw(innerBreaks(csvSafe(column)));
  const cells = [
    sql.raw(csvSafe('d.reference')),
    iso('d.created_at'),
    withValue((text) => innerBreaks(csvSafe(text)), nameOrClosed('u')),
    cell("coalesce(p.name, '')"),
    cell('d.batch_tag'),
    sql.raw(csvSafe('i.code')),
    sql`replace(${STATE}, '_', ' ')`,
    iso('i.expires_at'),
    sql`case when i.returned_at is null then ${iso('s.redeemed_at')} end`,
    iso('i.returned_at'),
  ];
  return {
    format: 'csv',
    timeZone,
    header: csvLine(COLUMNS),
    lineEnd: '\r\n',
    feature: tables.feature,
    query: tables.text(sql`select ${sql.join(cells)} from ${drawsOf(developers)} join ${ITEMS} on ${ofDraw(developers)}
      where ${fitting(filter, developers)} ${filter.state ? sql`and ${STATE} = ${filter.state}` : sql``}
      order by d.id desc, i.serial_id`),
  };
}
