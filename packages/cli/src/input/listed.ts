import { Failure } from '#exit.ts';

/** The one that is meant. @throws {Failure} in the words of the server, where it is not there. */
export async function listed<Row>(
  rows: AsyncIterable<Row> | Iterable<Row>,
  isIt: (row: Row) => boolean,
  what: string,
): Promise<Row> {
  for await (const row of rows) if (isIt(row)) return row;
  throw new Failure(`${what} not found.`, 'not_found');
}
