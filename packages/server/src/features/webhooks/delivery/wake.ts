import type { Sql } from '#platform/db/database.ts';
import { sendNotices } from '#platform/events.ts';

export const DUE = 'webhook_due';

/** An endpoint, or what it is told, is no longer as it was. */
export const CHANGED = 'webhook_changed';

/** No account hears of it. */
const notifyWorkers = (handle: Sql, type: string): Promise<void> =>
  sendNotices(handle, [{ account: '', type, data: {} }]);

/** Something became due: the workers of every process look, once this commits. */
export const wakeWorkers = (handle: Sql): Promise<void> => notifyWorkers(handle, DUE);

/** The workers of every process let go of what they have read and not begun to send, and read it anew. */
export const recallWorkers = (handle: Sql): Promise<void> => notifyWorkers(handle, CHANGED);
