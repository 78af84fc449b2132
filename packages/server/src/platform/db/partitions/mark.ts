import type { Sql } from '../sql.ts';
import { partitionSchema } from './names.ts';

const COMPLETE = 'complete';

/** Notes that every table of accounts has partitions, so that new ones get them too. */
export const completing = `comment on schema ${partitionSchema(0)} is '${COMPLETE}'`;

/** How many partitions every table of accounts has; 0 while they are whole, or a run has not come to its end. */
export async function partitionCount(sql: Sql): Promise<number> {
  const [found] = await sql.query<{ n: number }>(
    `select count(*)::int as n from pg_namespace where nspname ~ '^partition_[0-9]+$'
     having bool_or(nspname = $1 and obj_description(oid, 'pg_namespace') = $2)`,
    [partitionSchema(0), COMPLETE],
  );
  return found?.n ?? 0;
}
