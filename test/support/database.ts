import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** Each waits five seconds for those who are told to leave. */
const DROPS = 10;

export interface TestDatabase {
  url: string;
  query<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/**
 * Distinguishes tests that need a single PostgreSQL: a trigger that meets a lock by name or a sequence of the machine
 * where tests are, or a connection's own limit of waiting. `npm run test:citus` skips them.
 */
export const isCluster = (): boolean => inject('machines').length > 1;

/**
 * A database of its own, cloned from the migrated template.
 * @param whole without partitions, whatever the others have
 * @param from a clone of this one instead
 */
export async function createTestDatabase({ whole = false, from = '' } = {}): Promise<TestDatabase> {
  const server = inject('databaseServer');
  const template = from || inject(whole ? 'wholeTemplate' : 'template');
  const name = `${inject('template')}_${randomBytes(6).toString('hex')}`;
  const machines = inject('machines');
  await Promise.all(
    machines.map((each) => administer(each, `create database ${name} template ${template} strategy file_copy`)),
  );
  const url = new URL(server);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.toString(), max: 4, allowExitOnIdle: true });
  pool.on('error', () => undefined);
  return {
    url: url.toString(),
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await pool.query(text, values)).rows as Row[],
    async drop() {
      await pool.end();
      for (const each of machines) await dropDatabase(each, name);
    },
  };
}

/** The process that Citus keeps in every database is told to leave, and may take longer than one drop waits. */
async function dropDatabase(server: string, name: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await administer(server, `drop database if exists ${name} with (force)`);
    } catch (error) {
      const isInUse = error instanceof pg.DatabaseError && error.code === '55006';
      if (!isInUse || tries === DROPS) throw error;
    }
  }
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
