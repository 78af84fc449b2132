import type { Sql } from '../database.ts';

/**
 * How a table is spread over many machines. `tenant` tables carry `developer_id` in every key and are joined, locked and changed
 * by it: each account's rows are on one machine. `reference` tables find a tenant, or are read by all of them: every machine has
 * them. `local` ones belong to sign-in and to the server itself, and stay on the coordinator.
 */
export type Spread = 'tenant' | 'reference' | 'local';

/** The spread of tables, by their names. */
export type SpreadOf = Readonly<Record<string, Spread>>;

/** The column that the tenants' tables are distributed by. */
export const TENANT_COLUMN = 'developer_id';

/** The table beside whose rows those of all others are kept. */
export const FIRST_TENANT_TABLE = 'products';

interface Placed {
  name: string;
  /** As Citus has it. */
  is: Spread;
  /** Distributed by the tenant, beside the first table. Always true for the others. */
  beside: boolean;
  /** The tenant is in the primary key. */
  keyed: boolean;
}

/** A table that is not what it should be. */
export interface Misplaced {
  name: string;
  should: Spread;
  is: Spread;
}

/** Whether the database has the extension, which alone distributes nothing. */
export async function hasCitus(sql: Sql): Promise<boolean> {
  const [found] = await sql.query<{ partitions: string | null }>(
    "select to_regclass('pg_dist_partition')::text as partitions",
  );
  return found?.partitions != null;
}

/** Whether accounts are spread over machines here, if only in part. */
export async function isDistributed(sql: Sql): Promise<boolean> {
  if (!(await hasCitus(sql))) return false;
  const rows = await sql.query("select 1 from pg_dist_partition where partmethod = 'h' limit 1");
  return rows.length > 0;
}

/** Every table of the product, as Citus has it. */
async function placedTables(sql: Sql): Promise<Placed[]> {
  return sql.query<Placed>(
    `select c.relname as name,
       case when p.partmethod = 'h' then 'tenant' when p.partmethod = 'n' and p.repmodel = 't' then 'reference' else 'local' end as is,
       p.partmethod is distinct from 'h' or (
         column_to_column_name(p.logicalrelid, p.partkey) = $1
         and p.colocationid = (select f.colocationid from pg_dist_partition f where f.logicalrelid = to_regclass($2))
       ) as beside,
       exists (
         select 1 from pg_index x join pg_attribute a on a.attrelid = c.oid and a.attnum = any(x.indkey)
         where x.indrelid = c.oid and x.indisprimary and a.attname = $1
       ) as keyed
     from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname`,
    [TENANT_COLUMN, FIRST_TENANT_TABLE],
  );
}

/** Tables that are not what they should be. One that `spread` doesn't have is judged by its key: this build may be newer than it. */
export async function misplacedTables(sql: Sql, spread: SpreadOf): Promise<Misplaced[]> {
  const tables = await placedTables(sql);
  return tables.flatMap(({ name, is, beside, keyed }) => {
    const should = spread[name] ?? (keyed ? 'tenant' : 'local');
    return should === is && beside ? [] : [{ name, should, is }];
  });
}

/** Settings of a session that changes the schema of a distributed database. */
export const SCHEMA_SETTINGS = [
  // triggers look at their own row alone, which is where they are
  'set citus.enable_unsafe_triggers = on',
  // a reference table can be changed after a distributed one, in one transaction
  "set citus.multi_shard_modify_mode = 'sequential'",
];

/** Makes a table what it should be: nothing for a local one. Its foreign keys come after it, or lead to tables that are made already. */
export async function spreadTable(sql: Sql, name: string, should: Spread): Promise<void> {
  if (should === 'reference') await sql.query('select create_reference_table($1)', [name]);
  if (should !== 'tenant') return;
  const beside = name === FIRST_TENANT_TABLE ? 'none' : FIRST_TENANT_TABLE;
  await sql.query('select create_distributed_table($1, $2, colocate_with => $3)', [name, TENANT_COLUMN, beside]);
}
