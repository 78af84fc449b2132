import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { folded, foldOf, hasSpellings } from '../rules/machine-ids.ts';
import { tables } from '../tables.ts';

const spellingOf = tables.named('spelling', (begin, developerId: string, serialId: string, fold: string) =>
  begin
    .selectFrom('activations')
    .select('machine_id')
    .where('developer_id', '=', developerId)
    .where('serial_id', '=', serialId)
    .where(folded('machine_id'), '=', fold)
    .orderBy(sql`released_at is not null`)
    .orderBy('created_at')
    .limit(sql.lit(1)),
);

/**
 * A machine's id as the serial knows it: spelled as the seat that it holds, else as it once was, else as it is here.
 */
export async function knownSpelling(
  handle: Sql,
  { serial_id, developer_id }: { serial_id: string; developer_id: string },
  machineId: string,
): Promise<string> {
  if (!hasSpellings(machineId)) return machineId;
  const [known] = await spellingOf(handle, developer_id, serial_id, foldOf(machineId));
  return known?.machine_id ?? machineId;
}
