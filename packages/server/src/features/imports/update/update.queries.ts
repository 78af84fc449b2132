import type { ImportKey } from '../imports.queries.ts';
import type { ImportsHandle } from '../tables.ts';

/** An import whose corrected file takes its place. False when it is not complete. */
export async function markReplaced(tx: ImportsHandle, { developerId, id }: ImportKey, now: Date): Promise<boolean> {
  const marked = await tx
    .updateTable('imports')
    .set({ state: 'undone', error: null, seen_at: now, undone_at: now })
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .where('state', '=', 'complete')
    .where('dry_run', '=', false)
    .returning('id')
    .executeTakeFirst();
  return marked !== undefined;
}
