import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { type Compilable, type Expression, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import type { LaneName } from '../work-context.ts';
import { type Begins, FeatureHandle, type Handle, sendBy } from './handle.ts';
import type { Sql } from './sql.ts';
import type { TableName, Tables } from './tables.ts';

/** How a piece of work runs. */
export type WorkOptions = (
  | {
      /** Default: the lane of the running work. */
      lane?: Exclude<LaneName, 'bulk'>;
    }
  | {
      lane: 'bulk';
      /** Large work waits for its turn among that of its account. */
      account: string;
    }
) & {
  /**
   * One transaction, which is repeated as a whole when PostgreSQL ends it because of another one: nothing slow and nothing outside
   * the database belongs inside, unless it runs `once`. Without it each statement has a connection of its own.
   */
  tx?: boolean;
  /** Never repeated: what it writes outside the database, such as a file, would be there twice. */
  once?: boolean;
  /** Every statement is planned once per connection: for what is called all day long, with texts that are always the same. */
  named?: boolean;
  /** Stops the running statement; nothing of a transaction stays. */
  signal?: AbortSignal | undefined;
  /** Settings of a transaction’s planner. */
  settings?: Readonly<Record<string, string>>;
  /** Others, which every machine has to have that its statements reach. */
  everywhere?: Readonly<Record<string, string>>;
};

/** The database, before it is one feature’s. */
export interface Door extends Sql {
  work<T>(options: WorkOptions, run: (sql: Sql) => Promise<T>): Promise<T>;
}

/** The database of one feature. Its own statements are sent one by one; `work` is for what belongs together. */
export interface FeatureDb<Own extends TableName> extends Handle<Own> {
  work<T>(options: WorkOptions, run: (sql: Handle<Own>) => Promise<T>): Promise<T>;
}

/** The tables that a feature owns, and how its statements begin. */
export interface OwnTables<Entity, Own extends TableName> {
  readonly feature: string;
  readonly entities: readonly Entity[];
  /** This feature’s handle of a transaction, or of the database, which anybody may have begun. */
  in(sql: Sql): Handle<Own>;
  /** The database as a service of this feature gets it. */
  of(door: Door): FeatureDb<Own>;
  /**
   * A statement that is compiled once and planned once per connection.
   * @param build is called once, with stand-ins for the arguments: it may only pass them on as values.
   */
  named<Args extends readonly unknown[], Row>(
    name: string,
    build: (begin: Begins<Tables, Own>, ...args: Args) => Compilable<Row> | RawBuilder<Row>,
  ): (sql: Sql, ...args: Args) => Promise<Row[]>;
  /** A query as text with its values in it, because COPY takes no parameters. */
  text(query: Compilable<unknown> | RawBuilder<unknown>): string;
}

/** Declares what a feature owns. Its `tables.ts` also declares the columns into {@link Tables}. */
export function ownTables<const Entity extends { name: string }>(
  feature: string,
  entities: readonly Entity[],
): OwnTables<Entity, keyof InferKyselyDB<Entity> & TableName> {
  type Own = keyof InferKyselyDB<Entity> & TableName;
  const into = (sql: Sql) => new FeatureHandle(sql, feature) as unknown as Handle<Own>;
  return {
    feature,
    entities,
    in: into,
    of: (door) =>
      Object.assign(into(door), {
        work: <T>(options: WorkOptions, run: (sql: Handle<Own>) => Promise<T>) =>
          door.work(options, (sql) => run(into(sql))),
      }),
    named(name, build) {
      const statement = new Once(feature, name, build as never);
      return async (sql, ...args) => (await sendBy(sql, statement.with(args))).rows as never;
    },
    text: (query) => literal(query),
  };
}

/** A value that is not known yet, when a statement is compiled once. */
class StandIn {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}

/** Compiled when it is first sent, because then all features are there. */
class Once {
  readonly #feature: string;
  readonly #name: string;
  readonly #build: (begin: unknown, ...args: unknown[]) => Compilable | RawBuilder<unknown>;
  #compiled: { text: string; parameters: readonly unknown[] } | undefined;

  constructor(feature: string, name: string, build: (begin: unknown, ...args: unknown[]) => Compilable) {
    this.#feature = feature;
    this.#name = `${feature}.${name}`;
    this.#build = build;
  }

  with(args: readonly unknown[]) {
    this.#compiled ??= this.#compile(args.length);
    const { text, parameters } = this.#compiled;
    const values = parameters.map((value) => (value instanceof StandIn ? args[value.index] : value));
    return { text, values, feature: this.#feature, name: this.#name };
  }

  #compile(count: number) {
    const begin = new FeatureHandle(nowhere, this.#feature);
    const standIns = Array.from({ length: count }, (_, index) => new StandIn(index));
    const { sql: text, parameters } = compiled(this.#build(begin, ...standIns), begin);
    return { text, parameters };
  }
}

const nowhere: Sql = { query: () => Promise.reject(new Error('compiled, not sent')) };

function compiled(query: Compilable<unknown> | RawBuilder<unknown>, handle: FeatureHandle) {
  return 'isRawBuilder' in query && query.isRawBuilder ? query.compile(handle) : (query as Compilable).compile();
}

/** Puts every value into the text as the driver quotes it. */
class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.append(quoted(value));
  }
}

const literals = new LiteralCompiler();

function literal(query: Compilable<unknown> | RawBuilder<unknown>): string {
  const node = (query as Expression<unknown>).toOperationNode();
  return literals.compileQuery(node as never, { queryId: 'literal' } as never).sql;
}

function quoted(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return `${pg.escapeLiteral(value.toISOString())}::timestamptz`;
  if (Array.isArray(value)) return `array[${value.map(quoted).join(', ')}]`;
  if (typeof value === 'string') return pg.escapeLiteral(value);
  throw new Error(`a ${typeof value} has no literal`);
}

/** A value for a column of JSON: the driver would make a PostgreSQL array of a list. */
export function json<T>(value: T): RawBuilder<T> {
  return sql<T>`${JSON.stringify(value)}::jsonb`;
}
