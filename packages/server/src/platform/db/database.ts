import { hash } from 'node:crypto';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { CompiledQuery, type Transaction } from 'kysely';
import pg from 'pg';
import { sqlState } from '../errors.ts';
import type { Logger } from '../log.ts';
import { isDatabaseAway } from './away.ts';

/** Something that runs SQL with `$1` placeholders and answers plain rows. */
export interface Sql {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** One transaction: entities by `em`, rows by `query`, both in the same transaction. */
export interface Tx extends Sql {
  readonly em: EntityManager;
}

export interface Prepared {
  name: string;
  text: string;
}

const RETRIED = new Set(['40001', '40P01']);
const ATTEMPTS = 5;

// int8 as number: counts and cents stay far below 2^53
pg.types.setTypeParser(20, Number);
// date as YYYY-MM-DD: a day has no time zone
pg.types.setTypeParser(1082, (value) => value);

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  log: Logger;
}

/**
 * The database as the features see it. Entities go through MikroORM's pool; rows, COPY and prepared statements go
 * through this one, so that a burst of licensing calls never waits for a form being saved.
 */
export class Database implements Sql {
  readonly orm: MikroORM;
  readonly pool: pg.Pool;

  constructor(orm: MikroORM, options: DatabaseOptions) {
    this.orm = orm;
    this.pool = createPool(options);
  }

  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(text, values as unknown[])).rows;
  }

  /** A named statement: parsed and planned once per connection. */
  async prepared<Row extends object>(statement: Prepared, values: readonly unknown[]): Promise<Row[]> {
    return (await this.pool.query<Row>({ name: statement.name, text: statement.text, values: values as unknown[] }))
      .rows;
  }

  /**
   * Runs a use case in one transaction and repeats the whole of it when PostgreSQL reports a serialization failure or
   * a deadlock, or when a pooled connection turns out to be dead. Nothing slow and nothing outside the database belongs inside.
   */
  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return retrying((begun) => {
      const em = this.orm.em.fork({ useContext: true });
      return em.transactional(async (inner) => {
        begun();
        return work(transactionOf(inner as EntityManager));
      });
    });
  }

  /**
   * A transaction of rows alone, repeated like `transaction`, for what is called all day long: each statement is planned
   * once per connection, so its text has to be always the same.
   */
  async rowTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return retrying((begun) =>
      this.clientTransaction(async (client) => {
        begun();
        return work(preparedSqlOf(client));
      }),
    );
  }

  /** A transaction on one plain connection, for COPY. `signal` cancels it: the connection is cut and nothing stays. */
  async clientTransaction<T>(work: (client: pg.PoolClient) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    const onAbort = () => {
      broken = new Error('aborted');
      client.release(broken);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await client.query('begin');
      const result = await work(client);
      signal?.throwIfAborted();
      await client.query('commit');
      return result;
    } catch (error) {
      if (!broken) {
        await client.query('rollback').catch((failure: Error) => {
          broken = failure;
          client.release(failure);
        });
      }
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      if (!broken) client.release();
    }
  }

  /** Reads on one connection of their own, such as COPY TO. The connection is dropped when the reader stops early. */
  async withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.end(), this.orm.close(true)]);
  }
}

function transactionOf(em: EntityManager): Tx {
  return {
    em,
    async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      const trx = em.getTransactionContext() as unknown as Transaction<unknown>;
      const result = await trx.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
      return result.rows;
    },
  };
}

/** The same face over a plain client, for services that may run inside a COPY's transaction. */
export function sqlOf(client: pg.ClientBase): Sql {
  return {
    async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      return (await client.query<Row>(text, values as unknown[])).rows;
    },
  };
}

/** Every statement under a name that follows from its text. */
function preparedSqlOf(client: pg.ClientBase): Sql {
  return {
    async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      return (await client.query<Row>({ name: nameOf(text), text, values: values as unknown[] })).rows;
    },
  };
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = hash('sha256', text, 'hex').slice(0, 32);
    names.set(text, name);
  }
  return name;
}

async function retrying<T>(run: (begun: () => void) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    let began = false;
    try {
      return await run(() => {
        began = true;
      });
    } catch (error) {
      // a connection that died in the pool shows at the first word; nothing was done on it yet
      const again = RETRIED.has(sqlState(error) ?? '') || (!began && isDatabaseAway(error));
      if (attempt >= ATTEMPTS || !again) throw error;
    }
  }
}

function createPool(options: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    allowExitOnIdle: true,
    application_name: 'tonerow',
  });
  // an idle connection that the database drops must not take the process with it
  pool.on('error', (error) => options.log.warn({ err: error }, 'an idle database connection was lost'));
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
