import type pg from 'pg';

/** A statement as it is sent, with the feature that sends it. */
export interface Statement {
  text: string;
  values: readonly unknown[];
  /** Whose it is: the tests hold it to the tables of that feature, and traces name it. */
  feature: string;
  /** Planned once per connection under this name, where the connections stay the same. */
  name?: string;
}

/** Something that runs SQL with `$1` placeholders and answers plain rows. */
export interface Sql {
  /** Runs text of the platform and of the maintenance commands. Features build their statements (decision 0104). */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Used by handles to send a statement. Without it, they send the text alone by `query`. */
  send?<Row extends object>(statement: Statement): Promise<pg.QueryResult<Row>>;
  /** The connection of all of its statements, for COPY. Undefined: each has one of its own. */
  readonly client?: pg.ClientBase | undefined;
}
