import type pg from 'pg';

/** All or none of several statements, in one message. Within a transaction, they are part of it. */
export async function together(client: pg.ClientBase, statements: readonly string[]): Promise<void> {
  if (statements.length > 0) await client.query(statements.join(';\n'));
}
