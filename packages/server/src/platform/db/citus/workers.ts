import pg from 'pg';
import type { Logger } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import { isCutShort, isPartAway } from '../away.ts';
import type { Sql } from '../database.ts';

export type WorkerWarning = 'database_worker_gone';

/** A worker of a distributed database, and whether the coordinator reaches it. */
export interface Worker {
  name: string;
  up: boolean;
}

interface Dependencies {
  db: Sql;
  /** Past a pooler: the limits below are a connection's. */
  url: string;
  log: Logger;
  /** Milliseconds, of a clock that only goes forward. */
  now?: () => number;
}

const LOOK_EVERY = 5000;
/** An ordinary PostgreSQL may become a cluster's coordinator, which a restart goes with. */
const LOOK_FOR_CLUSTER_EVERY = 60_000;
/** The longest wait for each worker, in milliseconds. */
const PATIENCE = 2500;

/**
 * Watches the workers of a distributed database. One that is gone takes the calls of its accounts with it, and no others: it is a
 * warning in `/readyz`, a figure and a line in the log, and never a reason to take no traffic.
 */
export class Workers {
  readonly #deps: Dependencies;
  #workers: Worker[] = [];
  #looking: Promise<void> | undefined;
  #nextLook = Number.NEGATIVE_INFINITY;
  /** Before the first look is done, those who ask wait for it. */
  #looked = false;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async warnings(): Promise<WorkerWarning[]> {
    return (await this.state()).some(({ up }) => !up) ? ['database_worker_gone'] : [];
  }

  /** As they were at the last look, which is repeated at most every few seconds. None on an ordinary PostgreSQL. */
  async state(): Promise<readonly Worker[]> {
    const { now = performance.now.bind(performance) } = this.#deps;
    if (now() >= this.#nextLook) {
      this.#looking ??= this.#look()
        .then((isCluster) => {
          this.#looked = true;
          this.#nextLook = now() + (isCluster ? LOOK_EVERY : LOOK_FOR_CLUSTER_EVERY);
        })
        .finally(() => {
          this.#looking = undefined;
        });
      // the next caller gets what it finds; the readiness check reports that the database cannot be reached
      const done = this.#looking.catch(() => undefined);
      if (!this.#looked) await done;
    }
    return this.#workers;
  }

  /**
   * Whether what is kept on every machine cannot be written: one of them is gone.
   * @param error what a write failed with, which is known earlier than the next look.
   */
  async anyWorkerDown(error?: unknown): Promise<boolean> {
    if (isPartAway(error)) return true;
    const workers = await this.state();
    return workers.some(({ up }) => !up) || (workers.length > 0 && isCutShort(error));
  }

  figures(metrics: Metrics): void {
    metrics.measured(
      {
        name: 'tonerow_database_worker_up',
        help: 'Whether the coordinator of a distributed database reaches a worker: 1 or 0',
        labelNames: ['worker'],
      },
      async () => (await this.state()).map(({ name, up }) => [{ worker: name }, up ? 1 : 0]),
    );
  }

  async #look(): Promise<boolean> {
    const { db } = this.#deps;
    const [found] = await db.query<{ nodes: string | null }>("select to_regclass('pg_dist_node')::text as nodes");
    if (!found?.nodes) {
      this.#workers = [];
      return false;
    }
    const nodes = await db.query<Node>(
      "select nodename as host, nodeport as port from pg_dist_node where groupid > 0 and noderole = 'primary' order by groupid",
    );
    const workers = await Promise.all(
      nodes.map(async (node) => ({ name: nameOf(node), up: await this.#reaches(node) })),
    );
    for (const { name, up } of workers) this.#logChange(name, up);
    this.#workers = workers;
    return true;
  }

  /** On a connection of its own: those of others may be open to a worker that no longer answers. */
  async #reaches({ host, port }: Node): Promise<boolean> {
    const client = new pg.Client({
      connectionString: this.#deps.url,
      application_name: 'tonerow-probe',
      connectionTimeoutMillis: PATIENCE,
      query_timeout: 2 * PATIENCE,
      statement_timeout: PATIENCE,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(`set citus.node_connection_timeout = ${PATIENCE}`);
      const { rows } = await client.query<{ success: boolean }>(
        `select success from master_run_on_worker(array[$1::text], array[$2::int], array['select 1'], false)`,
        [host, port],
      );
      return rows[0]?.success === true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  #logChange(worker: string, up: boolean): void {
    const before = this.#workers.find(({ name }) => name === worker)?.up ?? true;
    if (before && !up)
      this.#deps.log.error({ worker }, 'a worker of the database cannot be reached: calls of its accounts fail');
    if (!before && up) this.#deps.log.info({ worker }, 'the worker of the database is back');
  }
}

interface Node {
  host: string;
  port: number;
}

const nameOf = ({ host, port }: Node) => `${host}:${port}`;
