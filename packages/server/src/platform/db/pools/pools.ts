import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { FairSlots } from '#platform/limits/fair-slots.ts';
import type { Logger } from '#platform/log.ts';
import type { Tracing } from '#platform/tracing/tracing.ts';
import { currentWork, type LaneName } from '#platform/work-context.ts';
import { PLAN_EACH, planOnce } from '../partitions/plans.ts';
import { fairShare } from './fair-share.ts';
import { noticeReadOnly, onlyReads } from './read-only.ts';
import { endWhenSilent, inTime, recovers } from './silence.ts';
import { stepBack } from './step-back.ts';

export interface PoolSizes {
  api: number;
  licensing: number;
  bulk: number;
}

export interface LanesOptions {
  url: string;
  /** Past a pooler, for the lane of migrations. Default: the same. */
  directUrl?: string;
  /** A pooler hands out its connections by transaction. */
  pooled?: boolean;
  /** The database is the embedded one, which shares the processor with this process. */
  embedded?: boolean;
  sizes: PoolSizes;
  log: Logger;
  tracing?: Tracing;
  machineOf?: MachineOf;
}

/** The machine of a distributed database that has an account, where it is known. */
export type MachineOf = (account: string) => string | undefined;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const JOBS = 4;
/** So long, in milliseconds, a database that does not answer is waited for at the end. */
const LONGEST_END = 2 * SECOND;
/** So long, in seconds, a connection for plugins may not know that the tables have got partitions. */
const LIFETIME = 3600;

interface Settings {
  /** Longest statement, in milliseconds. A bulk statement never waits for a socket, so this bounds real work. */
  statement: number;
  /** The longest wait for a locked row. */
  lock: number;
  /** Longest pause inside a transaction. */
  idle: number;
}

const settings: Record<LaneName, Settings | null> = {
  licensing: { statement: 5 * SECOND, lock: 2 * SECOND, idle: 5 * SECOND },
  api: { statement: 20 * SECOND, lock: 10 * SECOND, idle: 10 * SECOND },
  // two imports of one account wait for each other
  bulk: { statement: 15 * MINUTE, lock: 15 * MINUTE, idle: MINUTE },
  jobs: { statement: 15 * MINUTE, lock: MINUTE, idle: MINUTE },
  migration: null,
  probe: { statement: 3 * SECOND, lock: SECOND, idle: SECOND },
};

/**
 * The longest wait for a statement, in milliseconds, by lane. The second beyond the server's own limit is for its
 * answer: without one, the connection is ended.
 */
export const longestWaits = Object.fromEntries(
  Object.entries(settings).map(([lane, limits]) => [lane, limits && limits.statement + SECOND]),
) as Record<LaneName, number | null>;

export interface PoolFigures {
  used: number;
  waiting: number;
  size: number;
}

/** The most connections that one process opens, including those of the job queue and of live events. */
export function connectionsOf(sizes: PoolSizes): number {
  const jobQueue = 4;
  const listening = 1;
  return sizes.api + sizes.licensing + sizes.bulk + JOBS + 2 + 1 + jobQueue + listening;
}

/**
 * One pool of connections per lane, opened when they are first needed. Work finds its pool by the lane it runs in, so
 * that no feature can take a connection that is meant for another purpose.
 */
export class Lanes {
  readonly #pools: Record<LaneName, pg.Pool>;
  readonly #shares: Partial<Record<LaneName, FairSlots>>;
  readonly #log: Logger;
  readonly #machineOf: MachineOf | undefined;
  readonly #open = new Set<pg.PoolClient>();
  #closed: Promise<void> | undefined;

  constructor(options: LanesOptions) {
    const { sizes } = options;
    this.#log = options.log;
    this.#machineOf = options.machineOf;
    const pool = (lane: LaneName, max: number) => {
      const made = createPool(options, lane, max);
      made.on('connect', (client) => {
        this.#open.add(client);
        client.once('end', () => this.#open.delete(client));
      });
      return made;
    };
    this.#pools = {
      licensing: pool('licensing', sizes.licensing),
      api: pool('api', sizes.api),
      bulk: pool('bulk', sizes.bulk),
      jobs: pool('jobs', JOBS),
      migration: pool('migration', 2),
      probe: pool('probe', 1),
    };
    this.#shares = { licensing: fairShare(sizes.licensing), api: fairShare(sizes.api) };
  }

  /** A connection of the running work's lane. It has to be released. */
  async connect(): Promise<pg.PoolClient> {
    const { lane, account, transaction } = currentWork();
    if (transaction?.held) {
      // a pool deadlocks when all of its connections wait for a second one of the same pool
      this.#log.error({ err: new Error('a transaction asked for a second connection') }, 'nested connection');
      if (strict) throw new Error('A transaction asked for a second connection.');
    }
    // work that can wait long, for locks or for large answers, never gets the last connections of a lane
    const patient = lane === 'licensing' ? transaction !== undefined : account !== undefined;
    const shares = patient ? this.#shares[lane] : undefined;
    const share = shares?.wait(account, { group: account && this.#machineOf?.(account) });
    const releaseShare = share && (await inTime(share, (late) => late()));
    let client: pg.PoolClient;
    try {
      const pool = this.#pools[lane];
      const isFree = pool.idleCount > pool.waitingCount;
      const coming = pool.connect();
      client = await (isFree ? coming : inTime(coming, (late) => late.release()));
    } catch (error) {
      releaseShare?.();
      throw error;
    }
    if (transaction && !transaction.held) Object.assign(transaction, { held: true, client });
    const release = client.release;
    const end = (reusable: boolean) => {
      releaseShare?.();
      release(!reusable || onlyReads(client));
    };
    client.release = (error) => {
      if (transaction) transaction.held = false;
      const reusable = !error && recovers(client);
      if (typeof reusable === 'boolean') end(reusable);
      else void reusable.then(end);
    };
    return client;
  }

  /** Connections in use, requests that wait for one, and how many there may be, by lane. */
  figures(): Record<LaneName, PoolFigures> {
    const figures = {} as Record<LaneName, PoolFigures>;
    for (const [lane, pool] of Object.entries(this.#pools) as [LaneName, pg.Pool][]) {
      const waiting = pool.waitingCount + (this.#shares[lane]?.waiting ?? 0);
      figures[lane] = { used: pool.totalCount - pool.idleCount, waiting, size: pool.options.max };
    }
    return figures;
  }

  /** Afterwards no connection is open, unless the database does not answer. */
  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    await Promise.all(Object.values(this.#pools).map((pool) => pool.end()));
    // the pools do not wait for the ends that they ask for: a database that stops now would report each as broken off
    const ends = Promise.all([...this.#open].map((client) => new Promise<void>((end) => client.once('end', end))));
    const limit = new AbortController();
    await Promise.race([ends, pause(LONGEST_END, undefined, { signal: limit.signal })]);
    limit.abort();
  }
}

let strict = false;

/** Tests: asking for a connection inside a transaction is an error. */
export function refuseNestedConnections(): void {
  strict = true;
}

function createPool(options: LanesOptions, lane: LaneName, max: number): pg.Pool {
  const limits = settings[lane];
  const direct = lane === 'migration';
  const pooled = options.pooled === true && !direct;
  const pool = new pg.Pool({
    connectionString: direct ? (options.directUrl ?? options.url) : options.url,
    max,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    ...(lane === 'licensing' && !pooled ? { maxLifetimeSeconds: LIFETIME } : {}),
    allowExitOnIdle: true,
    application_name: `tonerow-${lane}`,
    onConnect: async (client) => {
      const longest = longestWaits[lane];
      if (longest !== null) endWhenSilent(client, longest);
      if (lane === 'bulk' && options.embedded) stepBack(client);
      // as a statement instead of with the connection: a session pooler does not support these parameters
      if (limits && !pooled) await client.query(statementsFor('set', limits));
      // its look-ups find one row by its whole key, whatever the arguments are
      if (lane === 'licensing' && !pooled && (await planOnce(client))) beginWith(client, PLAN_EACH);
    },
  });
  // an idle connection that the database drops must not take the process with it
  pool.on('error', (error) => options.log.warn({ err: error, lane }, 'an idle database connection was lost'));
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    noticeReadOnly(client);
    options.tracing?.statements(client, lane);
    // settings of a pooler's connection would carry over to others, so each transaction sets its own limits; a single
    // statement only has our own limit, which ends the connection
    if (limits && pooled) beginWith(client, statementsFor('set local', limits));
  });
  return pool;
}

function statementsFor(set: 'set' | 'set local', { statement, lock, idle }: Settings): string {
  return `${set} statement_timeout = ${statement}; ${set} lock_timeout = ${lock}; ${set} idle_in_transaction_session_timeout = ${idle}`;
}

/** Statements that every transaction of a connection begins with, in one message with its `begin`. */
function beginWith(client: pg.ClientBase, statements: string): void {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  const begun = (first: unknown, ...rest: unknown[]) => {
    const text = typeof first === 'string' ? first : (first as { text?: unknown }).text;
    if (typeof text !== 'string' || !BEGIN.test(text)) return query(first, ...rest);
    return query(`${text.replace(/;\s*$/, '')}; ${statements}`).then((results) => (results as unknown[])[0]);
  };
  client.query = begun as typeof client.query;
}

const BEGIN = /^\s*(?:begin|start transaction)\b/i;
