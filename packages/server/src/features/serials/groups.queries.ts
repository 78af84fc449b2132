import type { Period } from '../../platform/days.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { folded, likeFolded } from '../../platform/db/like.ts';
import { listOf } from '../../platform/db/list-index.ts';
import { inStock, OPEN, UNUSED } from './availability-rules.ts';
import { COLUMNS, codePattern, type Row, TABLES, view } from './serials.queries.ts';
import type { SerialView } from './serials.schemas.ts';

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
  batch_ids: string[];
  /** Of all groups, also of those beyond the first {@link MAX_GROUPS}. */
  total: number;
}

const PER_GROUP = 100;
const MAX_GROUPS = 100;

const NAME = `case when b.promo_price_cents is null then p.name else p.name || ' · ' || coalesce(b.batch_tag, 'Promo') end`;
const KIND = `case when b.promo_price_cents is null then 'regular' else 'promo' end`;

/** The available serials, by product and by promotion: counts, and the newest of each group. */
export async function availableGroups(
  db: Database,
  filter: { developerId: string; search: string | undefined; period: Period; now: Date },
): Promise<(Group & { serials: SerialView[] })[]> {
  const like = filter.search ? likeFolded(filter.search) : null;
  const code = codePattern(filter.search);
  // names are those of a batch, and compared once for all of its serials
  const named = `($5::text is null or ${folded('p.name')} like $5 or coalesce(${folded('b.batch_tag')} like $5, false))`;
  const groups = await db.query<Group & { named_ids: string[] }>(
    `with per_batch as (
       select b.id, m.named, ${NAME} as name, ${KIND} as kind, p.id as product_id, p.name as product_name,
         (select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${OPEN} and (m.named or s.code_key like $6)) as n
       from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
         cross join lateral (select ${named} as named offset 0) m
       where b.developer_id = $1 and ${listOf('b')} and ${inStock('$2')}
         and ($3::timestamptz is null or b.created_at >= $3) and ($4::timestamptz is null or b.created_at <= $4)
     )
     select name, kind, product_id, product_name, sum(n)::int as n, array_agg(id) as batch_ids,
       coalesce(array_agg(id) filter (where named), '{}') as named_ids,
       sum(sum(n)) over ()::int as total
     from per_batch where n > 0 group by 1, 2, 3, 4 order by kind desc, name, product_name limit ${MAX_GROUPS}`,
    [filter.developerId, filter.now, filter.period.from, filter.period.to, like, code],
  );
  return Promise.all(
    groups.map(async ({ named_ids, ...group }) => {
      const rows = await db.query<Row>(
        `select ${COLUMNS} from ${TABLES} where b.developer_id = $1 and b.id = any($2) and ${OPEN}
           and (b.id = any($3) or s.code_key like $4)
         order by s.id desc limit ${PER_GROUP}`,
        [filter.developerId, group.batch_ids, named_ids, code],
      );
      return { ...group, serials: rows.map(view) };
    }),
  );
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
       and exists (select 1 from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${OPEN})
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
