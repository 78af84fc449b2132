import {
  type AliasedExpression,
  type Compilable,
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type DeleteQueryBuilder,
  type DeleteResult,
  type Expression,
  type InsertQueryBuilder,
  type InsertResult,
  PostgresAdapter,
  PostgresQueryCompiler,
  QueryCreator,
  type QueryExecutor,
  type QueryExecutorProvider,
  type SelectQueryBuilder,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely';
import type pg from 'pg';
import type { Sql, Statement } from './sql.ts';
import type { AliasOf, TableName, TableOf, Tables } from './tables.ts';

type Aliased<Table extends string> = Table | `${Table} as ${string}`;

/** A query knows the tables that it has, so that another one can only be joined by `tenant.ts`. */
type Scope<DB, Table extends string> = { [Alias in AliasOf<Table>]: DB[TableOf<Table> & keyof DB] };

/** The rows that a part of a WITH has. */
type RowsOf<Part> = Part extends Expression<infer Row> | Compilable<infer Row> ? Row : never;

/** Begins statements of a feature: it reads what it likes, and writes its own tables alone. */
export interface Begins<DB, Own extends keyof DB & string> {
  selectFrom<const Table extends Aliased<keyof DB & string>>(
    table: Table,
  ): SelectQueryBuilder<Scope<DB, Table>, AliasOf<Table>, object>;
  selectFrom<Row, Alias extends string>(
    query: AliasedExpression<Row, Alias>,
  ): SelectQueryBuilder<{ [A in Alias]: Row }, Alias, object>;
  insertInto<Table extends Own>(table: Table): InsertQueryBuilder<DB, Table, InsertResult>;
  updateTable<const Table extends Aliased<Own>>(
    table: Table,
  ): UpdateQueryBuilder<Scope<DB, Table>, AliasOf<Table>, AliasOf<Table>, UpdateResult>;
  deleteFrom<const Table extends Aliased<Own>>(
    table: Table,
  ): DeleteQueryBuilder<Scope<DB, Table>, AliasOf<Table>, DeleteResult>;
  with<Name extends string, Part extends Expression<unknown> | Compilable<unknown>>(
    name: Name,
    part: (begin: Begins<DB, Own>) => Part,
  ): Begins<DB & { [N in Name]: RowsOf<Part> }, Own>;
}

/**
 * SQL in the name of a feature: statements are begun here, and templates (`sql<Row>`…``) run by it. It is handed to other
 * features as it is, which take their own handle of it and stay in the same transaction.
 */
export interface Handle<Own extends TableName> extends Begins<Tables, Own>, Sql, QueryExecutorProvider {}

const compiler = new PostgresQueryCompiler();
const adapter = new PostgresAdapter();

export class FeatureHandle extends QueryCreator<Tables> implements Sql, QueryExecutorProvider {
  readonly #executor: QueryExecutor;
  readonly #sql: Sql;

  constructor(sql: Sql, feature: string) {
    const executor = new DefaultQueryExecutor(compiler, adapter, sending(sql, feature));
    super({ executor });
    this.#executor = executor;
    this.#sql = sql;
  }

  getExecutor(): QueryExecutor {
    return this.#executor;
  }

  get client(): pg.ClientBase | undefined {
    return this.#sql.client;
  }

  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    return this.#sql.query(text, values);
  }

  async send<Row extends object>(statement: Statement): Promise<pg.QueryResult<Row>> {
    return sendBy<Row>(this.#sql, statement);
  }
}

/** Sends a feature's statement by whatever runs the text of others. */
export async function sendBy<Row extends object>(sql: Sql, statement: Statement): Promise<pg.QueryResult<Row>> {
  if (sql.send) return sql.send<Row>(statement);
  const rows = await sql.query<Row>(statement.text, statement.values);
  return { rows, rowCount: rows.length, command: '', oid: 0, fields: [] };
}

const COUNTS = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** Statements go where the transaction is; nothing is connected here. */
function sending(sql: Sql, feature: string): ConnectionProvider {
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql: text, parameters: values }: CompiledQuery) {
      const { rows, command, rowCount } = await sendBy<Row & object>(sql, { text, values, feature });
      return COUNTS.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
    },
    // biome-ignore lint/correctness/useYield: it only refuses
    async *streamQuery() {
      throw new Error('rows are streamed by COPY');
    },
  };
  return { provideConnection: (work) => work(connection) };
}
