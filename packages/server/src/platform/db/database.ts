import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { sqlState } from '../errors.ts';
import { inLane, inTransaction } from '../work-context.ts';
import { isDatabaseAway, isDatabaseSilent, isPartAway } from './away.ts';
import type { BulkGate } from './pools/bulk-gate.ts';
import { stopOnAbort } from './pools/cancel.ts';
import { announcedPid } from './pools/pooler.ts';
import type { Lanes } from './pools/pools.ts';
import type { Sql, Statement } from './sql.ts';
import { setLocal } from './statements/set-local.ts';
import type { Door, WorkOptions } from './work.ts';

export type { Sql } from './sql.ts';

const RETRIED = new Set(['40001', '40P01']);
const ATTEMPTS = 5;

// int8 as number: counts and cents stay far below 2^53
pg.types.setTypeParser(20, Number);
// date as YYYY-MM-DD: a day has no time zone
pg.types.setTypeParser(1082, (value) => value);

/** The database, before it is one feature’s. Which pool serves a statement follows from the lane of the running work. */
export class Database implements Door {
  readonly #lanes: Lanes;
  readonly #gate: BulkGate;
  readonly #pooled: boolean;

  /** @param options pooled: a name given to a statement may be unknown to the server that runs it next. */
  constructor(lanes: Lanes, options: { gate: BulkGate; pooled: boolean }) {
    this.#lanes = lanes;
    this.#gate = options.gate;
    this.#pooled = options.pooled;
  }

  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.#once<Row>({ text, values: values as unknown[] })).rows;
  }

  /** A feature's statement on a connection of its own. */
  send<Row extends object>(statement: Statement): Promise<pg.QueryResult<Row>> {
    return this.#once<Row>(sent(statement, this.#pooled ? 'none' : 'given'));
  }

  /**
   * The one door for the statements of features, which have it by their `tables.of(db)`.
   * @param run is passed whether it is the only large work.
   * @throws {AppError} busy (429, with `Retry-After`) in the lane `bulk`, when too much waits already.
   */
  work<T>(options: WorkOptions, run: (sql: Sql, alone: boolean) => Promise<T>): Promise<T> {
    const work = (alone: boolean) => this.#work(options, (sql) => run(sql, alone));
    if (options.lane === 'bulk') return this.#gate.run(options.account, work, options.signal);
    return options.lane ? inLane(options.lane, () => work(false)) : work(false);
  }

  async #work<T>(options: WorkOptions, run: (sql: Sql) => Promise<T>): Promise<T> {
    const { tx, once, named, signal, settings, everywhere } = options;
    const names = this.#pooled ? 'none' : named ? 'all' : 'given';
    if (!tx) return run(this.#each(names, signal));
    const transaction = (begun?: () => void) =>
      this.#transaction(async (client) => {
        begun?.();
        if (settings) {
          const list = Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}`);
          await client.query(list.join('; '));
        }
        if (everywhere) await setLocal((text) => client.query(text), everywhere);
        return run(sqlOf(client, names));
      }, signal);
    return once ? transaction() : retrying(transaction);
  }

  /** Each statement on a connection of its own. */
  #each(names: Names, signal: AbortSignal | undefined): Sql {
    const send = <Row extends object>(query: pg.QueryConfig) =>
      signal ? this.#withClient((client) => client.query<Row>(query), signal) : this.#once<Row>(query);
    return {
      query: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
        (await send<Row>(sent({ text, values }, names))).rows,
      send: (statement) => send(sent(statement, names)),
    };
  }

  async #once<Row extends object>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    const client = await this.#lanes.connect();
    try {
      const result = await client.query<Row>(query);
      client.release();
      return result;
    } catch (error) {
      // a refusal by the database leaves a connection that can be used again, even when a machine behind it is away
      client.release(sqlState(error) === undefined || (isDatabaseAway(error) && !isPartAway(error)));
      throw error;
    }
  }

  /** `signal` cancels it: the running statement is stopped and nothing stays. */
  async #transaction<T>(work: (client: pg.PoolClient) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return inTransaction(() =>
      this.#held(signal, async (client, clean) => {
        await client.query('begin');
        try {
          const result = await work(client);
          signal?.throwIfAborted();
          await client.query('commit');
          clean();
          return result;
        } catch (error) {
          await client.query('rollback').then(clean, () => undefined);
          throw error;
        }
      }),
    );
  }

  /** Work on one connection. `signal` stops the running statement. */
  async #withClient<T>(work: (client: pg.PoolClient) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#held(signal, async (client, clean) => {
      const result = await work(client);
      clean();
      return result;
    });
  }

  /** Holds a connection, which is used again only when the work has left it clean. */
  async #held<T>(
    signal: AbortSignal | undefined,
    work: (client: pg.PoolClient, clean: () => void) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const client = await this.#lanes.connect();
    const unwatch = signal && stopOnAbort(client, signal);
    let clean = false;
    try {
      return await work(client, () => {
        clean = true;
      });
    } finally {
      unwatch?.();
      client.release(!clean || signal?.aborted === true);
    }
  }

  /** Whether a pooler has come between this process and its database since it started. */
  async poolerAppeared(): Promise<boolean> {
    if (this.#pooled) return false;
    return this.#withClient(async (client) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      return rows[0]?.pid !== announcedPid(client);
    });
  }

  async close(): Promise<void> {
    await this.#lanes.close();
  }
}

/** The statements with names: all by their text, those given one, or none, because a pooler does not keep them. */
type Names = 'all' | 'given' | 'none';

/** As the driver takes it. It does not look at the feature; those who listen to it do. */
function sent(statement: Omit<Statement, 'feature'> & Partial<Statement>, allowed: Names): pg.QueryConfig {
  const { text, values, name, feature } = statement;
  const query = { text, values: values as unknown[], ...(feature === undefined ? {} : { feature }) };
  if (allowed === 'none' || (allowed === 'given' && name === undefined)) return query;
  return { ...query, name: name ?? nameOf(text) };
}

/** The same face over a plain client, for services that may run inside a COPY's transaction. */
export function sqlOf(client: pg.ClientBase, allowed: Names = 'none'): Sql {
  return {
    client,
    async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      return (await client.query<Row>(sent({ text, values }, allowed))).rows;
    },
    send: (statement) => client.query(sent(statement, allowed)),
  };
}

const names = new LRUCache<string, string>({ max: 1000 });

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = hash('sha256', text, 'hex').slice(0, 32);
    names.set(text, name);
  }
  return name;
}

/** Repeats work that PostgreSQL ended because of another transaction, such as by a deadlock. */
export async function retrying<T>(run: (begun: () => void) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    let began = false;
    try {
      return await run(() => {
        began = true;
      });
    } catch (error) {
      // a connection that died in the pool shows at the first word; nothing was done on it yet
      const died = isDatabaseAway(error) && !isDatabaseSilent(error);
      const again = RETRIED.has(sqlState(error) ?? '') || (!began && died);
      if (attempt >= ATTEMPTS || !again) throw error;
    }
  }
}
