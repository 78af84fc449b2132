import { type RawBuilder, sql } from 'kysely';
import { handedOnSince } from '#features/serials';
import type { Sql } from '#platform/db/database.ts';

/** Serials that were proven with a code or a link, by their developers. */
export type Proven = Record<string, string[]>;

/** Each of them with its developer. */
const listed = (proven: Proven) =>
  Object.entries(proven).flatMap(([developerId, ids]) => ids.map((id) => ({ developerId, id })));

/** A relation with the developer and the id of each serial. The serials have to be bound by `developer_id` besides. */
export function pairsOf(proven: Proven): RawBuilder<unknown> {
  const pairs = listed(proven);
  return sql`unnest(${pairs.map((pair) => pair.developerId)}::uuid[], ${pairs.map((pair) => pair.id)}::uuid[])`;
}

/** The serials that were proven at a moment, without those that were given to another customer since. */
export async function stillProven(handle: Sql, proven: Proven, at: Date): Promise<Proven> {
  const handedOn = new Set((await handedOnSince(handle, listed(proven), at)).map(({ id }) => id));
  if (handedOn.size === 0) return proven;
  return Object.fromEntries(Object.entries(proven).map(([dev, ids]) => [dev, ids.filter((id) => !handedOn.has(id))]));
}
