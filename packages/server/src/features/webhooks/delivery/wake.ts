import type { Sql } from '#platform/db/database.ts';
import { noticeSql } from '#platform/events.ts';

export const DUE = 'webhook_due';

/** An endpoint, or what it is told, is no longer as it was. */
export const CHANGED = 'webhook_changed';

/** Something became due: the workers of every process look, once this commits. No account hears of it. */
export async function wakeWorkers(sql: Sql): Promise<void> {
  await sql.query(`select ${noticeSql("''", DUE, 'json_build_object()')}`);
}

/** The workers of every process let go of what they have claimed and not begun to send, and read it anew. */
export async function recallWorkers(sql: Sql): Promise<void> {
  await sql.query(`select ${noticeSql("''", CHANGED, 'json_build_object()')}`);
}
