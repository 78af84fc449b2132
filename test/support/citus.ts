import pg from 'pg';
import { distribute } from '../../packages/server/src/distribute/distribute.ts';
import { sqlOf } from '../../packages/server/src/platform/db/database.ts';
import { spread } from '../../packages/server/src/spread.ts';

/** Fewer than Citus' 32: what is tested is that there are several, and each table of each database has as many. */
const SHARDS = 2;

/** The machines of the cluster whose coordinator TONEROW_CITUS names, the coordinator first: an administrator's addresses. */
export async function clusterNodes(coordinator: string): Promise<string[]> {
  const nodes = await withClient(coordinator, async (client) => {
    const { rows } = await client.query<{ host: string; port: number }>(
      "select nodename as host, nodeport as port from pg_dist_node where groupid > 0 and noderole = 'primary' order by groupid",
    );
    return rows;
  });
  if (nodes.length === 0) throw new Error('TONEROW_CITUS names a database in which no worker is registered.');
  return [coordinator, ...nodes.map(({ host, port }) => at(coordinator, host, port))];
}

/** Makes an empty database a cluster's: on every machine, and known to each other. */
export async function makeCluster(nodes: readonly string[], name: string): Promise<void> {
  for (const node of nodes) {
    await withClient(node, (client) => client.query(`create database ${name}`));
    await withClient(inDatabase(node, name), (client) => client.query('create extension citus'));
  }
  const [coordinator = '', ...workers] = nodes;
  await withClient(inDatabase(coordinator, name), async (client) => {
    for (const worker of workers) {
      const { hostname, port } = new URL(worker);
      await client.query('select citus_add_node($1, $2)', [hostname, Number(port)]);
    }
  });
}

/**
 * Distributes a migrated database, and lets nobody in any more: then it can be cloned, machine by machine. Citus' own tables, which
 * know what is where, are cloned with the rest.
 */
export async function makeTemplate(nodes: readonly string[], name: string): Promise<void> {
  const [coordinator = ''] = nodes;
  const { hostname, port } = new URL(coordinator);
  await withClient(inDatabase(coordinator, name), (client) =>
    distribute(sqlOf(client), {
      spread,
      coordinator: { host: hostname, port: Number(port) },
      shards: SHARDS,
      report: () => undefined,
    }),
  );
  for (const node of nodes) {
    await withClient(node, async (client) => {
      // Citus' own maintenance would come back
      await client.query(`alter database ${name} allow_connections false`);
      await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [name]);
    });
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function at(url: string, host: string, port: number): string {
  const moved = new URL(url);
  moved.host = `${host}:${port}`;
  return moved.toString();
}

function inDatabase(url: string, name: string): string {
  const moved = new URL(url);
  moved.pathname = `/${name}`;
  return moved.toString();
}
