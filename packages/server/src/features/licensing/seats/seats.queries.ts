import type { Database } from '#platform/db/database.ts';
import { foldedSql, foldOf, hasSpellings } from '../rules/machine-ids.ts';

/**
 * A machine's id as the serial knows it: spelled as the seat that it holds, else as it once was, else as it is here.
 */
export async function knownSpelling(
  db: Pick<Database, 'query'>,
  { serial_id, developer_id }: { serial_id: string; developer_id: string },
  machineId: string,
): Promise<string> {
  if (!hasSpellings(machineId)) return machineId;
  const [known] = await db.query<{ machine_id: string }>(
    `select machine_id from activations where developer_id = $1 and serial_id = $2 and ${foldedSql('machine_id')} = $3
     order by released_at is not null, created_at limit 1`,
    [developer_id, serial_id, foldOf(machineId)],
  );
  return known?.machine_id ?? machineId;
}
