import pg from 'pg';
import { StartupError } from '#platform/errors.ts';

/** Whether statements may be named. `auto`: unless a pooler is in between. */
export type NamedStatements = 'auto' | 'on' | 'off';

export interface Connections {
  /** The address for everything that happens in one transaction. */
  databaseUrl: string;
  /** Past a pooler: for LISTEN, migrations, session locks and the job queue. */
  directUrl: string;
  /** A transaction may run on another server connection than the one before. */
  pooled: boolean;
}

interface Settings {
  databaseUrl: string;
  directUrl: string | undefined;
  named: NamedStatements;
}

/**
 * Detects a pooler such as PgBouncer between us and the database. Through one that pools by transaction, named
 * statements fail and LISTEN receives nothing, neither of which causes an error at startup.
 * @throws {StartupError} for a pooler without an additional direct address, or one that contradicts the settings.
 */
export async function settleConnections({ databaseUrl, directUrl, named }: Settings): Promise<Connections> {
  const direct = directUrl ?? databaseUrl;
  if (named === 'on') {
    // trust the operator: one server connection for each of ours
    if (await sharesConnections(databaseUrl)) throw new StartupError(NO_SESSIONS);
    return { databaseUrl, directUrl: direct, pooled: false };
  }
  const main = await look(databaseUrl);
  if (directUrl === undefined) {
    if (main.pooler) throw new StartupError(NEEDS_DIRECT);
    return { databaseUrl, directUrl: direct, pooled: named === 'off' };
  }
  const other = await look(directUrl);
  if (other.pooler) {
    throw new StartupError('TONEROW_DIRECT_DATABASE_URL leads to a connection pooler, too. Name the database itself.');
  }
  if (other.server !== main.server) {
    throw new StartupError(
      'DATABASE_URL and TONEROW_DIRECT_DATABASE_URL lead to different databases. Both have to lead to the same one.',
    );
  }
  return { databaseUrl, directUrl, pooled: named === 'off' || main.pooler };
}

const NEEDS_DIRECT = `DATABASE_URL leads to a connection pooler, such as PgBouncer. Set TONEROW_DIRECT_DATABASE_URL to the address of the database itself as well: live events, migrations and background jobs need a connection of their own. If the pooler keeps one server connection for each client (session mode), set TONEROW_PREPARED_STATEMENTS=on instead. See "Poolers" in docs/operations.md.`;

const NO_SESSIONS =
  'TONEROW_PREPARED_STATEMENTS is "on", but what DATABASE_URL leads to hands out its connections by transaction. Leave the setting out, and set TONEROW_DIRECT_DATABASE_URL.';

/** Whether a second client, in a transaction, takes the server connection that the first one had. */
async function sharesConnections(url: string): Promise<boolean> {
  const options = { connectionString: url, connectionTimeoutMillis: 10_000, query_timeout: 3000 };
  const [first, second] = [new pg.Client(options), new pg.Client(options)];
  for (const client of [first, second]) client.on('error', () => undefined);
  const pid = async () => (await first.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
  try {
    await Promise.all([first.connect(), second.connect()]);
    const before = await pid();
    await second.query('begin');
    // with a single connection it waits for the other's end
    const after = await pid().catch(() => undefined);
    return before !== after;
  } finally {
    await Promise.all([first, second].map((client) => client.end().catch(() => undefined)));
  }
}

async function look(url: string): Promise<{ pooler: boolean; server: string }> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number; server: string }>(
      `select pg_backend_pid() as pid, concat_ws(' ', current_database(), extract(epoch from pg_postmaster_start_time())) as server`,
    );
    const row = rows[0] as { pid: number; server: string };
    return { pooler: row.pid !== announcedPid(client), server: row.server };
  } finally {
    await client.end();
  }
}

/** PostgreSQL sends its process id when a client connects; a pooler, which cannot know it yet, sends something else. */
export function announcedPid(client: pg.ClientBase): number | null {
  return (client as unknown as { processID: number | null }).processID;
}
