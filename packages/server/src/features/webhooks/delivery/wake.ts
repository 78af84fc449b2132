import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { notice } from '#platform/events.ts';
import { tables } from '../tables.ts';

export const DUE = 'webhook_due';

/** An endpoint, or what it is told, is no longer as it was. */
export const CHANGED = 'webhook_changed';

/** No account hears of it. */
const tellWorkers = async (handle: Sql, what: string): Promise<void> => {
  await sql`select ${notice(sql`''`, what, sql`json_build_object()`)}`.execute(tables.in(handle));
};

/** Something became due: the workers of every process look, once this commits. */
export const wakeWorkers = (handle: Sql): Promise<void> => tellWorkers(handle, DUE);

/** The workers of every process let go of what they have read and not begun to send, and read it anew. */
export const recallWorkers = (handle: Sql): Promise<void> => tellWorkers(handle, CHANGED);
