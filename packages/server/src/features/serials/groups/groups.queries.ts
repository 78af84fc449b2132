import { type Expression, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { BY_INDEX } from '#platform/db/statements/by-index.ts';
import { folded, likeFolded } from '#platform/db/statements/like.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Columns } from '#platform/db/tables.ts';
import type { Period } from '#platform/time/days.ts';
import { codePattern } from '../list/serial-list.queries.ts';
import { isInStock } from '../rules/availability-rules.ts';
import { B, BATCHES, BY_ID, lookUpBatch, NEWEST_FIRST, OPEN, ofBatch, P } from '../rules/rows.ts';
import { COLUMNS, type Row, view } from '../serials.queries.ts';
import type { SerialView } from '../serials.schemas.ts';
import { type SerialsDb, tables } from '../tables.ts';

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
  /** How many groups there are, also beyond the first {@link MAX_GROUPS}. */
  total: number;
}

/** A batch that goes by the name of a group. */
type NamedBatch = Columns<'batches', 'id'> & Pick<Group, 'kind' | 'product_id' | 'product_name'>;

const PER_GROUP = 100;
const MAX_GROUPS = 100;

/** The name of batch `b` of product `p`. */
const NAME = sql<string>`case when b.promo_price_cents is null then p.name else p.name || ' · ' || coalesce(b.batch_tag, 'Promo') end`;
const KIND = sql<GroupKind>`case when b.promo_price_cents is null then 'regular' else 'promo' end`;

/** The available serials of batch `b`, or those among them that a search finds by their codes. */
const availableOf = (search: string | undefined) =>
  sql<boolean>`${OPEN} and (b.named or s.code_key like ${codePattern(search)})`;

/**
 * The newest of a group `g`. They are in the batches whose newest serials are the newest, and of the second of these one less is
 * wanted than of the first. Each is read from an index that begins with the batch.
 */
const newestOf = (developerId: string, available: Expression<boolean>) => sql`
  select s.* from (
    select b.*, row_number() over (order by h.id desc) as place
    from unnest(g.batches, g.named) as b (id, named)
      cross join lateral (
        select s.id from serials s where ${ofBatch(developerId, B)} and ${available} order by ${NEWEST_FIRST} limit 1) h
    order by h.id desc limit ${sql.lit(PER_GROUP)}) b
    cross join lateral (
      select s.id, s.batch_id, s.code, s.revoked_at, s.redeemed_at, s.handed_out_at, s.download_count
      from serials s where ${ofBatch(developerId, B)} and ${available}
      order by ${NEWEST_FIRST} limit ${sql.lit(PER_GROUP + 1)} - b.place) s
  order by s.id desc limit ${sql.lit(PER_GROUP)}`;

/** Whether a search finds batch `b` by its names. */
function isNamed(search: string | undefined): Expression<boolean> {
  if (!search) return sql`true`;
  const like = likeFolded(search);
  const [product, tag] = [sql.raw(folded('p.name')), sql.raw(folded('b.batch_tag'))];
  return sql`coalesce(${product} like ${like} or ${tag} like ${like}, false)`;
}

/** The available serials, by product and by promo: counts, and the newest of each group. Each batch is counted once. */
export async function availableGroups(
  db: Pick<SerialsDb, 'work'>,
  filter: { developerId: string; search: string | undefined; period: Period; now: Date },
): Promise<(Group & { serials: SerialView[] })[]> {
  const { developerId, search, now } = filter;
  const { from, to } = filter.period;
  const available = availableOf(search);
  const statement = sql<Row & { place: number; group_name: string; kind: GroupKind; n: number; total: number }>`
    with batch as materialized (
      select b.id, ${NAME} as name, ${KIND} as kind, p.id as product_id, p.name as product_name, ${isNamed(search)} as named
      from ${BATCHES}
      where b.developer_id = ${developerId} and ${inList('b.created_at')} and ${isInStock({ batch: B, product: P }, sql`${now}`)}
        ${from ? sql`and b.created_at >= ${from}` : sql``} ${to ? sql`and b.created_at <= ${to}` : sql``}
    ), counted as materialized (
      select b.*, (
        select count(*) from serials s
        where s.developer_id = ${developerId} and s.batch_id = b.id and ${available}) as n from batch b
    ), page as materialized (
      select name, kind, product_id, product_name, sum(n)::int as n, array_agg(id) as batches, array_agg(named) as named,
        sum(sum(n)) over ()::int as total, row_number() over (order by kind desc, name, product_name)::int as place
      from counted where n > 0 group by 1, 2, 3, 4 order by kind desc, name, product_name limit ${sql.lit(MAX_GROUPS)}
    )
    select g.place, g.name as group_name, g.kind, g.n, g.total, ${COLUMNS}
    from page g cross join lateral (${newestOf(developerId, available)}) s
      ${lookUpBatch(developerId)}
    order by g.place, s.id desc`;
  const { rows } = await db.work({ tx: true, settings: BY_INDEX }, (tx) => statement.execute(tx));
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
  handle: Sql,
  group: GroupRef & { developerId: string; now: Date },
): Promise<NamedBatch[]> {
  const { developerId, now, name, kind, product_id } = group;
  const { rows } = await sql<NamedBatch>`
    select b.id, ${KIND} as kind, p.id as product_id, p.name as product_name from ${BATCHES}
    where b.developer_id = ${developerId} and ${inList('b.created_at')} and ${isInStock({ batch: B, product: P }, sql`${now}`)}
      and ${NAME} = ${name} ${kind ? sql`and ${KIND} = ${kind}` : sql``} ${product_id ? sql`and p.id = ${product_id}` : sql``}
      and (select true from serials s where ${ofBatch(developerId, B)} and ${OPEN} order by ${BY_ID} limit 1)
    order by p.name_key`.execute(tables.in(handle));
  return rows;
}

const openIn = (developerId: string, batchIds: readonly string[]) =>
  sql<boolean>`s.developer_id = ${developerId} and s.batch_id = any(${batchIds}::uuid[]) and ${OPEN}`;

export async function countOpen(handle: Sql, developerId: string, batchIds: string[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from serials s where ${openIn(developerId, batchIds)}`.execute(tables.in(handle));
  return rows[0]?.n ?? 0;
}

/** Deletes the available serials of batches, and the batches that are empty then. */
export async function deleteOpen(handle: Sql, developerId: string, batchIds: string[]): Promise<number> {
  const own = tables.in(handle);
  const { numDeletedRows: gone } = await own
    .deleteFrom('serials as s')
    .where(openIn(developerId, batchIds))
    .executeTakeFirstOrThrow();
  await sql`
    delete from batches b where b.developer_id = ${developerId} and b.id = any(${batchIds}::uuid[]) and not exists (
      select 1 from serials s where s.developer_id = ${developerId} and s.batch_id = b.id)`.execute(own);
  return Number(gone);
}
