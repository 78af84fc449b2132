import type { TestDatabase } from './database.ts';

/**
 * The part of Citus that the server asks and calls, on an ordinary PostgreSQL: two catalogs, and functions that note
 * what they were called for. They refuse what Citus refuses: a distributed table whose foreign keys lead to one that is
 * not, and a reference table once the coordinator is registered. `npm run test:citus` has the real one.
 */
const STAND_IN = [
  `create table pg_dist_partition (
     logicalrelid regclass, partmethod "char", partkey text, colocationid int, repmodel "char")`,
  `create table pg_dist_node (
     nodename text, nodeport int, groupid int, noderole text default 'primary', isactive bool default true,
     metadatasynced bool default true, gone bool default false)`,
  `insert into pg_dist_node values ('worker-1', 5432, 1), ('worker-2', 5432, 2)`,
  // accounts with an even last digit are on the first worker
  'create table pg_dist_placement (shardid bigint, groupid int)',
  'insert into pg_dist_placement values (100, 1), (101, 2)',
  `create function get_shard_id_for_distribution_column(name regclass, value uuid) returns bigint language sql as
   $$select 100 + get_byte(uuid_send(value), 15) % 2$$`,
  'create table pg_dist_local_group as select 0 as groupid',
  'create domain noderole as text',
  'create schema citus',
  'create domain citus.shard_transfer_mode as text',
  `create function column_to_column_name(regclass, text) returns text language sql as 'select $2'`,
  `create function create_reference_table(name regclass) returns void language plpgsql as $$
   begin
     if exists (select 1 from pg_dist_node where groupid = 0) then raise exception 'the coordinator is registered'; end if;
     insert into pg_dist_partition values (name, 'n', null, 1, 't');
   end $$`,
  `create function create_distributed_table(name regclass, key text, colocate_with text) returns void language plpgsql as $$
   begin
     if exists (select 1 from pg_constraint k where k.contype = 'f' and k.conrelid = name and k.confrelid <> name
       and not exists (select 1 from pg_dist_partition p where p.logicalrelid = k.confrelid))
     then raise exception '% refers to a local table', name; end if;
     insert into pg_dist_partition values (name, 'h', key, case when colocate_with = 'products' or name::text = 'products' then 2 else 3 end, 's');
   end $$`,
  `create function citus_set_coordinator_host(host text, port int, role noderole default 'primary', cluster name default 'default')
   returns void language sql as 'insert into pg_dist_node values (host, port, 0)'`,
  `create function citus_remove_node(host text, port int) returns void language sql as
   'delete from pg_dist_node where nodename = host and nodeport = port'`,
  `create function replicate_reference_tables(mode citus.shard_transfer_mode) returns void language sql as ''`,
  `create function citus_add_local_table_to_metadata(name regclass, cascade_via_foreign_keys bool) returns void language sql as
   $$insert into pg_dist_partition values (name, 'n', null, 0, 's')$$`,
  `create function citus_check_connection_to_node(host text, port int) returns bool language sql as $$select host <> 'nowhere'$$`,
  `create function citus_check_cluster_node_health() returns table (
     from_nodename text, from_nodeport int, to_nodename text, to_nodeport int, result bool) language sql as $$
   select f.nodename, f.nodeport, t.nodename, t.nodeport, t.nodename <> 'cut-off' from pg_dist_node f cross join pg_dist_node t$$`,
  `create function truncate_local_data_after_distributing_table(name regclass) returns void language sql as ''`,
  `create function master_run_on_worker(names text[], ports int[], commands text[], parallel bool)
   returns table (node_name text, node_port int, success bool, result text)
   language plpgsql as $$
   declare answer text; gone bool;
   begin
     select n.gone into gone from pg_dist_node n where n.nodename = names[1] and n.nodeport = ports[1];
     if gone then answer := 'connection refused'; else execute commands[1] into answer; end if;
     return query select names[1], ports[1], not gone, answer;
   end $$`,
];

/** Makes a test's own database look as if it were the coordinator of two workers. */
export async function standInForCitus(db: Pick<TestDatabase, 'query'>): Promise<void> {
  for (const statement of STAND_IN) await db.query(statement);
}
