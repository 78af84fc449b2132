import type { Sql } from '../../../platform/db/database.ts';
import { noticeSql } from '../../../platform/events.ts';

export const DUE = 'webhook_due';

/** Something became due: the workers of every process look, once this commits. No account hears of it. */
export async function wakeWorkers(sql: Sql): Promise<void> {
  await sql.query(`select ${noticeSql("''", DUE, 'json_build_object()')}`);
}
