import { DAY } from '#platform/clock.ts';
import { acrossTenants } from '#platform/db/tenant.ts';
import type { ShopsDb } from '../tables.ts';

/** How long what shops sent is kept as it came. */
const KEPT = 90 * DAY;

/** Deletes what came before that, worked on or not: what is not by then never will be. */
export async function expireDeliveries(db: ShopsDb, now: Date): Promise<void> {
  await db
    .deleteFrom('shop_deliveries')
    .where('received_at', '<', new Date(now.getTime() - KEPT))
    .modifyEnd(acrossTenants('housekeeping'))
    .execute();
}
