import pg from 'pg';
import { accountNameOrClosed } from '#features/accounts';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvLine } from '#platform/csv/write.ts';
import type { Sql } from '#platform/db/database.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { folded, likeFolded } from '#platform/db/statements/like.ts';
import { dollarsSql } from '#platform/money.ts';
import { type Export, innerBreaks } from '#platform/spool/exports.ts';
import type { DrawRow } from './draw.queries.ts';
import type { DrawRecord, DrawState } from './draws.schemas.ts';

export interface DrawFilter {
  resellerId: string;
  state: DrawState | undefined;
  productId: string | undefined;
  developerId: string | undefined;
  search: string | undefined;
}

/** Of `i`, what a draw handed out, and `s`, its serial, which may be gone. */
export const STATE = `case when i.returned_at is not null then 'returned' when s.id is null or s.revoked_at is not null then 'revoked'
  when s.redeemed_at is not null then 'redeemed' else 'handed_out' end`;
export const ITEMS = 'draw_items i left join serials s on (s.developer_id, s.id) = (i.developer_id, i.serial_id)';
const ACROSS = '/* across tenants: the draws of a reseller */';
const DRAWS = `draws d left join products p on (p.developer_id, p.id) = (d.developer_id, d.product_id)
  join users u on u.id = d.developer_id`;
export const OF_DRAW = '(i.developer_id, i.draw_id) = (d.developer_id, d.id)';

const text = (value: string) => pg.escapeLiteral(value);

/** With its values as literals, for COPY too. */
function conditionOf({ resellerId, state, productId, developerId, search }: DrawFilter): string {
  const like = search ? text(likeFolded(search)) : null;
  return [
    `d.reseller_id = ${text(resellerId)}`,
    ...(productId ? [`d.product_id = ${text(productId)}`] : []),
    ...(developerId ? [`d.developer_id = ${text(developerId)}`] : []),
    ...(like
      ? [
          `(${folded('d.reference')} like ${like} or exists (select 1 from draw_items i where ${OF_DRAW} and ${folded('i.code')} like ${like}))`,
        ]
      : []),
    ...(state ? [`exists (select 1 from ${ITEMS} where ${OF_DRAW} and ${STATE} = ${text(state)})`] : []),
  ].join(' and ');
}

interface Row extends DrawRow {
  product_name: string | null;
  developer_name: string;
  developer_time_zone: string;
  sold_for: number | null;
  note: string | null;
}

const SELECT = `select d.id, d.reference, d.developer_id, d.product_id, d.batch_tag, d.quantity, d.created_at, p.name as product_name,
  ${accountNameOrClosed('u')} as developer_name, u.time_zone as developer_time_zone, ${dollarsSql('d.sold_for_cents')} as sold_for, d.note
  from ${DRAWS}`;

/** Newest first. `after` is the id the page before ended with. */
export async function listDraws(
  sql: Sql,
  filter: DrawFilter,
  after: string | null,
  limit: number,
): Promise<{ rows: DrawRecord[]; total: number }> {
  const condition = conditionOf(filter);
  const rows = await sql.query<Row>(
    `${ACROSS} ${SELECT} where ${condition} and ($1::uuid is null or d.id < $1) order by d.id desc limit $2`,
    [after, limit],
  );
  const [counted] = await sql.query<{ n: number }>(`${ACROSS} select count(*) as n from draws d where ${condition}`);
  return { rows: await withSerials(sql, rows), total: counted?.n ?? 0 };
}

export async function findDrawRecord(sql: Sql, resellerId: string, reference: string): Promise<DrawRecord | undefined> {
  const rows = await sql.query<Row>(`${ACROSS} ${SELECT} where d.reseller_id = $1 and d.reference = $2`, [
    resellerId,
    reference,
  ]);
  return (await withSerials(sql, rows))[0];
}

async function withSerials(sql: Sql, draws: Row[]): Promise<DrawRecord[]> {
  const serials = await sql.query<DrawRecord['serials'][number] & { draw_id: string }>(
    `${ACROSS} select i.draw_id, i.code, i.expires_at, i.returned_at, s.redeemed_at, ${STATE} as state
     from unnest($1::uuid[], $2::uuid[]) d (developer_id, id) join ${ITEMS} on ${OF_DRAW}
     order by i.serial_id`,
    [draws.map(({ developer_id }) => developer_id), draws.map(({ id }) => id)],
  );
  const records = new Map<string, DrawRecord>(
    draws.map((draw) => [
      draw.id,
      { ...draw, states: { handed_out: 0, redeemed: 0, revoked: 0, returned: 0 }, serials: [] },
    ]),
  );
  for (const { draw_id, ...serial } of serials) {
    const record = records.get(draw_id);
    if (!record) continue;
    // who redeemed a code that came back is another shop's business
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
export function drawsExport(filter: DrawFilter, timeZone: string): Export {
  const iso = (column: string) => csvMoment(column, timeZone);
  const cells = [
    csvSafe('d.reference'),
    iso('d.created_at'),
    innerBreaks(csvSafe(accountNameOrClosed('u'))),
    innerBreaks(csvSafe("coalesce(p.name, '')")),
    innerBreaks(csvSafe('d.batch_tag')),
    csvSafe('i.code'),
    `replace(${STATE}, '_', ' ')`,
    iso('i.expires_at'),
    `case when i.returned_at is null then ${iso('s.redeemed_at')} end`,
    iso('i.returned_at'),
  ];
  const ofState = filter.state ? ` and ${STATE} = ${text(filter.state)}` : '';
  return {
    format: 'csv',
    timeZone,
    header: csvLine(COLUMNS),
    lineEnd: '\r\n',
    query: `${ACROSS} select ${cells.join(', ')} from ${DRAWS} join ${ITEMS} on ${OF_DRAW}
      where ${conditionOf(filter)}${ofState} order by d.id desc, i.serial_id`,
  };
}
