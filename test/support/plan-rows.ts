import pg from 'pg';
import { createTestDatabase } from './database.ts';

export interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  /** A table that it reads; undefined: it works on what others have read. */
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

interface Rows {
  /** Looked at, wherever in the plan, comparisons in memory included. */
  all: number;
  /** The rows that were read from tables; one counts as often as it is read. */
  ofTables: number;
}

/** How many rows a statement looks at. */
export function rowsOf(node: PlanNode): Rows {
  const filtered = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  const own = {
    all: (filtered + (node['Rows Removed by Join Filter'] ?? 0)) * node['Actual Loops'],
    ofTables: node['Relation Name'] ? filtered * node['Actual Loops'] : 0,
  };
  return (node.Plans ?? [])
    .map(rowsOf)
    .reduce((sum, { all, ofTables }) => ({ all: sum.all + all, ofTables: sum.ofTables + ofTables }), own);
}

/** The same of a statement that is run and taken back. */
export async function rowsRead(db: pg.Client, text: string, values: readonly unknown[] = []): Promise<Rows> {
  await db.query('begin');
  try {
    const { rows } = await db.query(`explain (analyze, timing off, format json) ${text}`, values as unknown[]);
    return rowsOf(rows[0]['QUERY PLAN'][0].Plan);
  } finally {
    await db.query('rollback');
  }
}

/** A database of its own, of whole tables, with a connection on which its tables can be filled, and others. */
export async function openPlanDatabase() {
  const database = await createTestDatabase({ whole: true });
  const opened: pg.Client[] = [];
  const connect = async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    opened.push(client);
    return client;
  };
  return {
    db: await connect(),
    connect,
    async drop() {
      for (const client of opened) await client.end();
      await database.drop();
    },
  };
}

/** The statistics stay as they are: no autovacuum runs in between. */
export async function keepStatistics(db: pg.Client, tables: readonly string[]): Promise<void> {
  for (const table of tables) await db.query(`alter table ${table} set (autovacuum_enabled = off)`);
}

export async function addDeveloper(db: pg.Client, id: string): Promise<void> {
  await db.query(
    `insert into users (id, role, email, email_key, password_hash, first_name, last_name, created_at)
     values ($1, 'developer', $2, $2, '', 'A', 'B', now())`,
    [id, `${id}@example.com`],
  );
}

/** Runs each statement to see how many rows it looks at, and takes it back: it answers nothing. */
export function explained(db: pg.Client, seen: (rows: Rows) => void) {
  return {
    async query(text: string, values: readonly unknown[] = []): Promise<never[]> {
      seen(await rowsRead(db, text, values));
      return [];
    },
  };
}

interface Watched {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A database that answers, and counts its statements and the rows that they look at; what a transaction writes is taken back. */
export function watched(db: pg.Client, seen: Rows & { statements: number }) {
  const one: Watched = {
    async query(text, values = []) {
      const { rows } = await db.query(`explain (analyze, timing off, format json) ${text}`, values as unknown[]);
      const { all, ofTables } = rowsOf(rows[0]['QUERY PLAN'][0].Plan);
      seen.all += all;
      seen.ofTables += ofTables;
      seen.statements += 1;
      return (await db.query(text, values as unknown[])).rows;
    },
  };
  return {
    ...one,
    async work<T>(
      { settings = {} }: { settings?: Readonly<Record<string, string>> },
      run: (sql: Watched) => Promise<T>,
    ) {
      await db.query('begin');
      try {
        for (const [name, value] of Object.entries(settings)) await db.query(`set local ${name} = ${value}`);
        return await run(one);
      } finally {
        await db.query('rollback');
      }
    },
  };
}

export const nothingSeen = () => ({ all: 0, ofTables: 0, statements: 0 });
