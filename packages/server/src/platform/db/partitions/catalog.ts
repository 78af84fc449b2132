import type { SpreadOf } from '../citus/spread.ts';
import type { Sql } from '../sql.ts';

/** A table of accounts: `developer_id` is in its primary key. */
export interface TenantTable {
  name: string;
  owner: string;
  /** 0: it is whole. */
  partitions: number;
  bytes: number;
  /** An estimate. */
  rows: number;
  key: string[];
  /** Columns, without those that PostgreSQL computes. */
  columns: string[];
}

/** All tables of accounts, by name. One that `spread` doesn't have is judged by its key: this build may be newer than it. */
export async function tenantTables(sql: Sql, spread: SpreadOf): Promise<TenantTable[]> {
  const keyed = await sql.query<TenantTable>(
    `with parts as (
       select c.oid as of, c.oid as part from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
       union all
       select i.inhparent, i.inhrelid from pg_inherits i join pg_class c on c.oid = i.inhparent
       where c.relkind = 'p' and c.relnamespace = 'public'::regnamespace
     ), sizes as (
       select p.of, count(*) filter (where p.of <> p.part)::int as partitions, sum(pg_total_relation_size(p.part))::bigint as bytes,
         sum(greatest(c.reltuples, 0))::bigint as rows
       from parts p join pg_class c on c.oid = p.part group by p.of
     )
     select c.relname as name, pg_get_userbyid(c.relowner) as owner, coalesce(s.partitions, 0) as partitions,
       coalesce(s.bytes, 0) as bytes, coalesce(s.rows, 0) as rows,
       (select array_agg(a.attname::text order by array_position(k.conkey, a.attnum)) from pg_attribute a
        where a.attrelid = c.oid and a.attnum = any(k.conkey)) as key,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
     from pg_class c join pg_constraint k on k.conrelid = c.oid and k.contype = 'p' left join sizes s on s.of = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and exists (select 1 from pg_attribute a
         where a.attrelid = c.oid and a.attname = 'developer_id' and a.attnum = any(k.conkey))
     order by c.relname`,
  );
  return keyed.filter(({ name }) => (spread[name] ?? 'tenant') === 'tenant');
}

/** Objects of a table that have to be made again on another one, each as the statement that makes it. */
export interface Shape {
  /** Primary and unique keys. */
  keys: { name: string; definition: string }[];
  indexes: string[];
  triggers: string[];
  grants: string[];
  /** Storage parameters, such as `fillfactor=80`, which only partitions have. */
  options: string[];
  /** Its own foreign keys. */
  outward: ForeignKey[];
  /** Those of other tables to it. */
  inward: ForeignKey[];
}

export interface ForeignKey {
  table: string;
  /** The table that it leads to. */
  to: string;
  name: string;
  definition: string;
  /** The table that it belongs to has partitions. */
  partitioned: boolean;
}

const FOREIGN = `
  select c.relname as table, t.relname as to, k.conname as name, replace(pg_get_constraintdef(k.oid), ' NOT VALID', '') as definition,
    c.relkind = 'p' as partitioned
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class t on t.oid = k.confrelid
  where k.contype = 'f' and k.conparentid = 0 and c.relnamespace = 'public'::regnamespace`;

export async function shapeOf(sql: Sql, name: string): Promise<Shape> {
  const table = `public.${name}`;
  const keys = await sql.query<Shape['keys'][number]>(
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = $1::regclass and contype in ('p', 'u') order by contype, conname`,
    [table],
  );
  const indexes = await sql.query<{ definition: string }>(
    `select pg_get_indexdef(x.indexrelid) as definition from pg_index x where x.indrelid = $1::regclass and not exists (
       select 1 from pg_constraint k where k.conindid = x.indexrelid and k.conrelid = x.indrelid and k.contype in ('p', 'u'))
     order by x.indexrelid::regclass::text`,
    [table],
  );
  const triggers = await sql.query<{ definition: string }>(
    'select pg_get_triggerdef(oid) as definition from pg_trigger where tgrelid = $1::regclass and not tgisinternal order by tgname',
    [table],
  );
  const grants = await sql.query<{ statement: string }>(
    `select format('grant %s on public.%I to %s%s', a.privilege_type, c.relname,
       case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end,
       case when a.is_grantable then ' with grant option' else '' end) as statement
     from pg_class c cross join lateral aclexplode(c.relacl) a where c.oid = $1::regclass and a.grantee <> c.relowner
     union all
     select format('grant %s (%I) on public.%I to %s', a.privilege_type, t.attname, c.relname,
       case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end)
     from pg_class c join pg_attribute t on t.attrelid = c.oid cross join lateral aclexplode(t.attacl) a
     where c.oid = $1::regclass and a.grantee <> c.relowner`,
    [table],
  );
  const [about] = await sql.query<{ options: string[] | null }>(
    'select reloptions as options from pg_class where oid = $1::regclass',
    [table],
  );
  return {
    keys,
    indexes: indexes.map(({ definition }) => definition),
    triggers: triggers.map(({ definition }) => definition),
    grants: grants.map(({ statement }) => statement),
    options: about?.options ?? [],
    outward: await sql.query<ForeignKey>(`${FOREIGN} and k.conrelid = $1::regclass order by k.conname`, [table]),
    inward: await sql.query<ForeignKey>(
      `${FOREIGN} and k.confrelid = $1::regclass and k.conrelid <> k.confrelid order by c.relname, k.conname`,
      [table],
    ),
  };
}
