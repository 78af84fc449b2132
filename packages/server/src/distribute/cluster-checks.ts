import pg from 'pg';
import type { Sql } from '#platform/db/database.ts';

/** Something that the cluster lacks, and what gives it that. */
export interface Lack {
  what: string;
  mend: string;
}

export interface Node {
  name: string;
  port: number;
  coordinator: boolean;
  active: boolean;
  synced: boolean;
}

interface Settings {
  server: number;
  citus: string | null;
  prepared: number;
  wal: string;
  /** Connections that it takes, … */
  takes: number;
  /** … and that it may open to each of the others. */
  opens: number;
  role: string;
  mayCreate: boolean;
}

const SETTINGS = `select json_build_object(
  'server', current_setting('server_version_num')::int / 10000,
  'citus', (select extversion from pg_extension where extname = 'citus'),
  'prepared', current_setting('max_prepared_transactions')::int,
  'wal', current_setting('wal_level'),
  'takes', current_setting('max_connections')::int,
  'opens', case current_setting('citus.max_shared_pool_size', true)::int
    when 0 then current_setting('max_connections')::int
    when -1 then 0 else coalesce(current_setting('citus.max_shared_pool_size', true)::int, 0) end,
  'role', current_user,
  'mayCreate', has_schema_privilege('public', 'create'))`;

/** The oldest that all of this was run on. */
const OLDEST = 13;

/** Functions that a run calls, and that belong to a superuser until they are granted. */
const CALLS = [
  'citus_set_coordinator_host(text, integer, noderole, name)',
  'citus_remove_node(text, integer)',
  'replicate_reference_tables(citus.shard_transfer_mode)',
];

/** The machines that the coordinator knows, itself among them once it is registered. */
export async function readNodes(sql: Sql): Promise<Node[]> {
  return sql.query<Node>(
    `select nodename as name, nodeport as port, groupid = 0 as coordinator, isactive as active, metadatasynced as synced
     from pg_dist_node where noderole = 'primary' order by groupid`,
  );
}

/**
 * Everything that the cluster lacks, so that it can be mended at once.
 * @param coordinator where the workers are to reach it; undefined when it is registered
 */
export async function clusterLacks(sql: Sql, coordinator?: { host: string; port: number }): Promise<Lack[]> {
  const nodes = await readNodes(sql);
  const workers = nodes.filter(({ coordinator }) => !coordinator);
  if (workers.length === 0) {
    return [
      {
        what: 'No worker is registered in this database.',
        mend: "On each worker, with the same role: create database NAME; \\c NAME; create extension citus;\nThen here, for each: select citus_add_node('HOST', 5432);",
      },
    ];
  }
  const own = await settingsHere(sql);
  const lacks = [...(await missingRights(sql)), ...lacksOf('The coordinator', own, own, { worker: false })];
  for (const worker of workers) lacks.push(...(await workerLacks(sql, worker, own)));
  // connections between them are tried by calls that each of them has to have
  if (lacks.length > 0) return lacks;
  return unreached(sql, coordinator);
}

/** Ways between two machines that are closed. */
export async function unreached(sql: Sql, coordinator?: { host: string; port: number }): Promise<Lack[]> {
  return [...(coordinator ? await unreachedCoordinator(sql, coordinator) : []), ...(await unreachedNodes(sql))];
}

async function unreachedCoordinator(sql: Sql, { host, port }: { host: string; port: number }): Promise<Lack[]> {
  const lacks: Lack[] = [];
  const workers = (await readNodes(sql)).filter(({ coordinator }) => !coordinator);
  for (const { name, port: own } of workers) {
    const asked = `select citus_check_connection_to_node(${pg.escapeLiteral(host)}, ${port})`;
    const { success, result } = await askWorker(sql, name, own, asked);
    if (success && /^t/.test(result)) continue;
    lacks.push({
      what: `The worker ${name}:${own} does not reach the coordinator at ${host}:${port}.`,
      mend: 'Give --coordinator the address that the workers reach, and let them in: listen_addresses and pg_hba.conf here.',
    });
  }
  return lacks;
}

/** Rebalancing and reference tables need every way between two of them. */
async function unreachedNodes(sql: Sql): Promise<Lack[]> {
  const ways = await sql.query<{ from: string; to: string }>(
    `select distinct from_nodename || ':' || from_nodeport as from, to_nodename || ':' || to_nodeport as to
     from citus_check_cluster_node_health() where result is not true order by 1, 2`,
  );
  return ways.map(({ from, to }) => ({
    what: `${from} does not reach ${to}.`,
    mend: 'Let it in there: listen_addresses, pg_hba.conf, and what is between them.',
  }));
}

async function settingsHere(sql: Sql): Promise<Settings> {
  const [row] = await sql.query<{ json_build_object: Settings }>(SETTINGS);
  return (row as { json_build_object: Settings }).json_build_object;
}

async function missingRights(sql: Sql): Promise<Lack[]> {
  const rows = await sql.query<{ call: string; role: string }>(
    `select call, current_user::text as role from unnest($1::text[]) as call
     where not has_function_privilege(current_user, to_regprocedure(call), 'execute')`,
    [CALLS],
  );
  return rows.map(({ call, role }) => ({
    what: `The role ${role} may not call ${call.replace(/\(.*/, '')}.`,
    mend: `As a superuser, in this database: grant execute on function ${call} to "${role}";`,
  }));
}

async function workerLacks(sql: Sql, { name, port, active, synced }: Node, own: Settings): Promise<Lack[]> {
  const who = `The worker ${name}:${port}`;
  const answer = await askWorker(sql, name, port);
  if (!answer.success) {
    const [how] = await sql.query<{ role: string; conninfo: string; database: string }>(
      "select current_user::text as role, current_setting('citus.node_conninfo', true) as conninfo, current_database()::text as database",
    );
    return [
      {
        what: `${who} does not answer: ${answer.result}`,
        mend: `The coordinator goes to the database ${how?.database} there as the role ${how?.role}, with ${how?.conninfo}. Without TLS on the worker, here and on every worker: alter system set citus.node_conninfo = 'sslmode=prefer'; select pg_reload_conf();`,
      },
    ];
  }
  const lacks = lacksOf(who, JSON.parse(answer.result) as Settings, own, { worker: true });
  if (!active)
    lacks.push({ what: `${who} is switched off.`, mend: `Here: select citus_activate_node('${name}', ${port});` });
  else if (!synced) {
    lacks.push({
      what: `${who} does not know the cluster.`,
      mend: `Here: select start_metadata_sync_to_node('${name}', ${port});`,
    });
  }
  return lacks;
}

async function askWorker(
  sql: Sql,
  name: string,
  port: number,
  question = SETTINGS,
): Promise<{ success: boolean; result: string }> {
  const [answer] = await sql.query<{ success: boolean; result: string }>(
    `select success, result from master_run_on_worker(array[$1::text], array[$2::int], array[$3::text], false)`,
    [name, port, question],
  );
  return answer ?? { success: false, result: 'no answer' };
}

function lacksOf(who: string, has: Settings, own: Settings, { worker }: { worker: boolean }): Lack[] {
  const lacks: Lack[] = [];
  const there = worker ? 'There' : 'Here';
  if (has.citus === null)
    lacks.push({ what: `${who} lacks the extension.`, mend: `${there}: create extension citus;` });
  else if (has.citus !== own.citus) {
    lacks.push({
      what: `${who} has Citus ${has.citus}, and the coordinator ${own.citus}.`,
      mend: 'Install the same version on all, then on each: alter extension citus update;',
    });
  } else if (Number.parseInt(has.citus, 10) < OLDEST) {
    lacks.push({
      what: `${who} has Citus ${has.citus}, and nothing was tried with less than ${OLDEST}.`,
      mend: `Install Citus ${OLDEST}.2 or newer on all, then on each: alter extension citus update;`,
    });
  }
  if (!has.mayCreate) {
    lacks.push({
      what: `${who} does not let the role ${has.role} make tables.`,
      mend: `${there}, in this database: grant create on schema public to "${has.role}";`,
    });
  }
  if (worker && has.takes < own.opens) {
    lacks.push({
      what: `${who} takes ${has.takes} connections, and the coordinator may open ${own.opens} to it.`,
      mend: `There, and restart it: alter system set max_connections = ${own.opens};   or here fewer: alter system set citus.max_shared_pool_size = ${has.takes}; select pg_reload_conf();`,
    });
  }
  if (has.server !== own.server) {
    lacks.push({
      what: `${who} runs PostgreSQL ${has.server}, and the coordinator ${own.server}.`,
      mend: 'Install the same major version on all.',
    });
  }
  if (has.prepared === 0) {
    lacks.push({
      what: `${who} cannot commit on several machines: max_prepared_transactions is 0.`,
      mend: `${there}: alter system set max_prepared_transactions = 200;   and restart it. Not fewer than max_connections is best.`,
    });
  }
  // logical replication moves shards to a new worker while they are in use
  if (worker && has.wal !== 'logical') {
    lacks.push({
      what: `${who} could not be rebalanced under load: wal_level is ${has.wal}.`,
      mend: "There: alter system set wal_level = 'logical';   and restart it.",
    });
  }
  return lacks;
}
