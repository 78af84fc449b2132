import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from, to } from 'pg-copy-streams';

/** Streams chunks of COPY text into a table; waits whenever the database is slower than the source. */
export async function copyIn(
  client: pg.ClientBase,
  statement: string,
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  signal?: AbortSignal,
): Promise<void> {
  const sink = client.query(from(statement));
  await pipeline(Readable.from(chunks, { objectMode: true, highWaterMark: 2 }), sink, { signal });
}

/**
 * The rows of a query as COPY text, as the database sends them.
 * @param feature whose query it is; see `Statement`
 */
export function copyOut(client: pg.ClientBase, statement: string, feature?: string): Readable {
  return client.query(Object.assign(to(statement), { feature }));
}
