import type { Database, Sql } from '#platform/db/database.ts';
import { byIndex } from '#platform/db/statements/by-index.ts';
import { folded, likeFolded } from '#platform/db/statements/like.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import type { Period } from '#platform/time/days.ts';
import { codePattern } from '../list/serial-list.queries.ts';
import { BY_ID, inStock, NEWEST_FIRST, OF_BATCH, OPEN, UNUSED } from '../rules/availability-rules.ts';
import { COLUMNS, type Row, view } from '../serials.queries.ts';
import type { SerialView } from '../serials.schemas.ts';

export type GroupKind = 'regular' | 'promo';

/** A group's name as far as the caller specifies it: one name can match several groups. */
export interface GroupRef {
  name: string;
  kind?: GroupKind | undefined;
  product_id?: string | undefined;
}

interface Group {
  name: string;
  kind: GroupKind;
  product_id: string;
  product_name: string;
  n: number;
  /** Of all groups, also of those beyond the first {@link MAX_GROUPS}. */
  total: number;
}

const PER_GROUP = 100;
const MAX_GROUPS = 100;

const NAME = `case when b.promo_price_cents is null then p.name else p.name || ' · ' || coalesce(b.batch_tag, 'Promo') end`;
const KIND = `case when b.promo_price_cents is null then 'regular' else 'promo' end`;

/** The available serials of batch `b`, or those among them that a search finds by their codes. */
const AVAILABLE = `${OPEN} and (b.named or s.code_key like $6)`;

/**
 * The newest of a group `g`. They are in the batches whose newest serials are the newest, and of the second of these one less is
 * wanted than of the first. Each is read from an index that begins with the batch.
 */
const NEWEST = `
  select s.* from (
    select b.*, row_number() over (order by h.id desc) as place
    from (select g.developer_id, x.id, x.named from unnest(g.batches, g.named) as x (id, named)) b
      cross join lateral (select s.id from serials s where ${OF_BATCH} and ${AVAILABLE} order by ${NEWEST_FIRST} limit 1) h
    order by h.id desc limit ${PER_GROUP}) b
    cross join lateral (
      select s.id, s.batch_id, s.code, s.revoked_at, s.redeemed_at, s.handed_out_at, s.download_count
      from serials s where ${OF_BATCH} and ${AVAILABLE} order by ${NEWEST_FIRST} limit ${PER_GROUP + 1} - b.place) s
  order by s.id desc limit ${PER_GROUP}`;

/** The available serials, by product and by promo: counts, and the newest of each group. Each batch is counted once. */
export async function availableGroups(
  db: Pick<Database, 'clientTransaction'>,
  filter: { developerId: string; search: string | undefined; period: Period; now: Date },
): Promise<(Group & { serials: SerialView[] })[]> {
  const like = filter.search ? likeFolded(filter.search) : null;
  const rows = await byIndex(db, (sql) =>
    sql.query<Row & { place: number; group_name: string; kind: GroupKind; n: number; total: number }>(
      `with batch as materialized (
         select b.developer_id, b.id, ${NAME} as name, ${KIND} as kind, p.id as product_id, p.name as product_name,
           coalesce($5::text is null or ${folded('p.name')} like $5 or ${folded('b.batch_tag')} like $5, false) as named
         from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
         where b.developer_id = $1 and ${listOf('b')} and ${inStock('$2')}
           and ($3::timestamptz is null or b.created_at >= $3) and ($4::timestamptz is null or b.created_at <= $4)
       ), counted as materialized (
         select b.*, (select count(*) from serials s where s.developer_id = b.developer_id and s.batch_id = b.id and ${AVAILABLE}) as n from batch b
       ), page as materialized (
         select developer_id, name, kind, product_id, product_name, sum(n)::int as n, array_agg(id) as batches, array_agg(named) as named,
           sum(sum(n)) over ()::int as total, row_number() over (order by kind desc, name, product_name)::int as place
         from counted where n > 0 group by 1, 2, 3, 4, 5 order by kind desc, name, product_name limit ${MAX_GROUPS}
       )
       select g.place, g.name as group_name, g.kind, g.n, g.total, ${COLUMNS}
       from page g cross join lateral (${NEWEST}) s
         cross join lateral (select * from batches b where b.developer_id = g.developer_id and b.id = s.batch_id offset 0) b
         cross join lateral (select * from products p where p.developer_id = b.developer_id and p.id = b.product_id offset 0) p
       order by g.place, s.id desc`,
      [filter.developerId, filter.now, filter.period.from, filter.period.to, like, codePattern(filter.search)],
    ),
  );
  const groups = new Map<number, Group & { serials: SerialView[] }>();
  for (const { place, group_name: name, kind, n, total, ...row } of rows) {
    const { product_id, product_name } = row;
    const group = groups.get(place) ?? { name, kind, product_id, product_name, n, total, serials: [] };
    groups.set(place, group);
    group.serials.push(view(row));
  }
  return [...groups.values()];
}

/** The batches that go by a group's name, of every kind and product, with available serials. */
export async function batchesOfGroup(
  sql: Sql,
  group: GroupRef & { developerId: string; now: Date },
): Promise<{ id: string; kind: GroupKind; product_id: string; product_name: string }[]> {
  return sql.query(
    `select b.id, ${KIND} as kind, p.id as product_id, p.name as product_name
     from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
     where b.developer_id = $1 and ${listOf('b')} and ${inStock('$2')} and ${NAME} = $3 and ($4::text is null or ${KIND} = $4)
       and ($5::uuid is null or p.id = $5)
       and (select true from serials s where ${OF_BATCH} and ${OPEN} order by ${BY_ID} limit 1)
     order by p.name_key`,
    [group.developerId, group.now, group.name, group.kind ?? null, group.product_id ?? null],
  );
}

export async function countOpen(sql: Sql, developerId: string, batchIds: string[]): Promise<number> {
  const [row] = await sql.query<{ n: number }>(
    `select count(*) as n from serials s where s.developer_id = $1 and s.batch_id = any($2) and ${OPEN}`,
    [developerId, batchIds],
  );
  return row?.n ?? 0;
}

/** What is neither redeemed nor revoked, handed out or not. */
export async function countUnused(sql: Sql, developerId: string, batchId: string): Promise<number> {
  const [row] = await sql.query<{ n: number }>(
    `select count(*) as n from serials s where s.developer_id = $1 and s.batch_id = $2 and ${UNUSED}`,
    [developerId, batchId],
  );
  return row?.n ?? 0;
}

/** Deletes the available serials of batches, and the batches that are empty then. */
export async function deleteOpen(sql: Sql, developerId: string, batchIds: string[]): Promise<number> {
  const [row] = await sql.query<{ n: number }>(
    `with gone as (delete from serials s where s.developer_id = $1 and s.batch_id = any($2) and ${OPEN} returning 1)
     select count(*) as n from gone`,
    [developerId, batchIds],
  );
  await sql.query(
    `delete from batches b where b.developer_id = $1 and b.id = any($2)
       and not exists (select 1 from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id))`,
    [developerId, batchIds],
  );
  return row?.n ?? 0;
}
