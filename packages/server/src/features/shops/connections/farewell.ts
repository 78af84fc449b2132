import type { Clock } from '#platform/clock.ts';
import { HOUR } from '#platform/clock.ts';
import { acrossTenants } from '#platform/db/tenant.ts';
import { ShopAway } from '../connectors/api.ts';
import { apiOf, type FetchDependencies, unsubscribed } from '../orders/fetching.ts';
import { findSealed } from '../orders/shop-rows.queries.ts';
import type { ShopsDb } from '../tables.ts';
import { addressOf } from './connections.service.ts';

/** One try. */
const TRY = { ms: 30_000, most: 20 };
/** How long what opens a deleted shop is kept for that, whatever becomes of the tries. */
const KEPT = 6 * HOUR;

interface Dependencies extends FetchDependencies {
  db: ShopsDb;
  publicUrl: string;
}

/**
 * The job: has a deleted shop send nothing here any more that it was asked to send, and forgets what opens its API.
 * @throws {ShopAway} when another try may help.
 */
export async function bidFarewell(deps: Dependencies, work: { accountId: string; shopId: string }): Promise<void> {
  const { db, publicUrl } = deps;
  const { accountId, shopId } = work;
  const shop = await findSealed(db, accountId, shopId);
  if (!shop || shop.deleted_at === null) return;
  try {
    const opened = apiOf(deps, shop, TRY);
    if (opened) await unsubscribed(opened, addressOf(publicUrl, accountId, shop.token));
  } catch (error) {
    if (error instanceof ShopAway) throw error;
    // it opens nothing any more, and nobody is there to mend that: what it sends is answered by 404
  }
  await db
    .updateTable('shop_connections')
    .set({ credentials: null })
    .where('developer_id', '=', accountId)
    .where('id', '=', shopId)
    .where('deleted_at', 'is not', null)
    .execute();
}

/** Forgets what opens shops that were deleted, and could not be reached since. */
export async function forgetDeleted(db: ShopsDb, clock: Clock): Promise<void> {
  await db
    .updateTable('shop_connections')
    .set({ credentials: null })
    .where('deleted_at', '<', new Date(clock.now().getTime() - KEPT))
    .where('credentials', 'is not', null)
    .modifyEnd(acrossTenants('housekeeping'))
    .execute();
}
