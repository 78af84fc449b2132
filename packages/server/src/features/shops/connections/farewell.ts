import { sql } from 'kysely';
import { type Clock, DAY, HOUR, MINUTE } from '#platform/clock.ts';
import { acrossTenants } from '#platform/db/tenant.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Logger } from '#platform/log.ts';
import type { Random } from '#platform/random.ts';
import { ShopAway, ShopRefuses } from '../connectors/api.ts';
import { connectors } from '../connectors/index.ts';
import { findSealed } from '../orders/shop-rows.queries.ts';
import { farewellJob } from '../queue/order-job.ts';
import { apiOf, type FetchDependencies } from '../reconcile/fetching.ts';
import type { ShopsDb, ShopsHandle } from '../tables.ts';
import { addressOf } from './address.ts';
import type { ShopKind, ShopMode } from './connections.schemas.ts';
import { needsFarewell } from './shop-changes.ts';
import { notifyShopOwner, type ShopEmailDependencies } from './shop-emails.ts';

/** One try. */
const TRY = { ms: 30_000, most: 40 };
/** The only one, while somebody waits. */
const LAST_TRY = { ms: 5_000, most: 40 };
/** The next one is ever later. */
const WAITS = Array.from({ length: 10 }, (_, tries) => Math.min(MINUTE * 2 ** tries, 6 * HOUR));
/** How long it is tried, and how long the shop's credentials are kept for that. */
const KEPT = 5 * DAY;

/** A shop to leave, with the credentials for that. */
export interface DepartedShop {
  kind: ShopKind;
  mode: ShopMode;
  token: string;
  credentials: Uint8Array;
}

interface Dependencies extends FetchDependencies, ShopEmailDependencies {
  db: ShopsDb;
  clock: Clock;
  jobs: Jobs;
  log: Logger;
}

interface Work {
  accountId: string;
  shopId: string;
}

/**
 * Keeps a key until the subscriptions that it asked the shop for have ended, in the transaction that takes it out
 * of use. Nothing is kept for kinds of shops that send nothing on their own account.
 */
export async function scheduleFarewell(
  { clock, jobs, random }: { clock: Clock; jobs: Jobs; random: Random },
  tx: ShopsHandle,
  { accountId, shopId }: Work,
  { kind, credentials }: { kind: ShopKind; credentials: Uint8Array | null },
): Promise<void> {
  if (credentials === null || !needsFarewell(kind)) return;
  const now = clock.now();
  await tx
    .insertInto('shop_farewells')
    .values({
      id: random.id(),
      developer_id: accountId,
      shop_id: shopId,
      credentials,
      next_at: now,
      created_at: now,
    })
    .execute();
  await jobs.enqueue(tx, farewellJob, { accountId, shopId });
}

/** Has shops send nothing here any more that they were asked to send by a key that is no longer theirs. */
export class Farewells {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Every five minutes: queues those that are due again, also of a try that a dead process had begun. */
  async lookAtAll(): Promise<void> {
    const { db, clock, jobs } = this.#deps;
    const due = await db
      .selectFrom('shop_farewells')
      .select(['developer_id', 'shop_id'])
      .distinct()
      .where('next_at', '<=', clock.now())
      .modifyEnd(acrossTenants('the worker looks after all accounts'))
      .execute();
    const works = due.map(({ developer_id, shop_id }) => ({ accountId: developer_id, shopId: shop_id }));
    await db.work({ tx: true }, (tx) => jobs.enqueueAll(tx, farewellJob, works));
  }

  /** The job: tries those of a shop that are due, and forgets the key of each that is done, or tried for long enough. */
  async attempt(work: Work): Promise<void> {
    for (const each of await this.#begin(work)) {
      if (await this.#isEnded(work, each)) await this.#forget(this.#deps.db, work, each.id);
      else if (each.created_at.getTime() + KEPT <= this.#deps.clock.now().getTime()) await this.#giveUp(work, each.id);
    }
  }

  /** The next try is set before this one begins: whatever happens to it, there is another. */
  async #begin({ accountId, shopId }: Work) {
    const { db, clock } = this.#deps;
    const now = clock.now();
    // moments of ours: a machine that added to one in a column would do so by its own settings
    const later = WAITS.map((wait) => new Date(now.getTime() + wait));
    return db
      .updateTable('shop_farewells')
      .set({
        tries: sql`tries + 1`,
        next_at: sql`(${later}::timestamptz[])[least(tries + 1, ${later.length})]`,
      })
      .where('developer_id', '=', accountId)
      .where('shop_id', '=', shopId)
      .where('next_at', '<=', now)
      .returning(['id', 'credentials', 'created_at'])
      .execute();
  }

  async #isEnded(work: Work, { credentials }: { credentials: Uint8Array }): Promise<boolean> {
    const { db, publicUrl, log } = this.#deps;
    const shop = await findSealed(db, work.accountId, work.shopId);
    if (!shop) return true;
    try {
      await this.#end({ ...shop, credentials }, addressOf(publicUrl, work.accountId, shop.token), work);
      return true;
    } catch (error) {
      // a key that the shop has forgotten ends what was asked for by it
      if (error instanceof ShopRefuses && error.isKeyUnknown) return true;
      if (!(error instanceof ShopRefuses || error instanceof ShopAway))
        log.warn({ err: error, shop: work.shopId }, 'a shop could not be left');
      return false;
    }
  }

  async #end(shop: DepartedShop, address: string, work: Work): Promise<void> {
    const opened = apiOf(this.#deps, shop, TRY);
    const leaving = opened?.connector.leaving;
    if (!opened || !leaving) return;
    // subscriptions that today's key shows are the shop's own, and stay. It is asked last, so that nothing that
    // it makes meanwhile ends.
    const made = await leaving.made(opened.api, address);
    const own = made.length === 0 ? [] : await this.#ownOf(work, address);
    await leaving.end(
      opened.api,
      made.filter((id) => !own.includes(id)),
    );
  }

  async #ownOf({ accountId, shopId }: Work, address: string): Promise<string[]> {
    const shop = await findSealed(this.#deps.db, accountId, shopId);
    if (!shop || shop.deleted_at !== null) return [];
    const opened = apiOf(this.#deps, shop, TRY);
    try {
      return (await opened?.connector.leaving?.made(opened.api, address)) ?? [];
    } catch (error) {
      // it is the other key that is refused
      if (error instanceof ShopRefuses) throw new ShopAway(error.message);
      throw error;
    }
  }

  /** Forgets the key, and has its owner end by hand what goes on. */
  async #giveUp(work: Work, id: string): Promise<void> {
    const { db, publicUrl } = this.#deps;
    const { accountId, shopId } = work;
    await db.work({ tx: true }, async (tx) => {
      const shop = await findSealed(tx, accountId, shopId);
      const detail = shop && connectors[shop.kind].api?.leaving?.byHand;
      // one of two at once does
      if (!(await this.#forget(tx, work, id)) || !shop || !detail) return;
      const news = { shop_id: shopId, name: shop.name, what: 'farewell' as const, detail };
      const means = `The reports go to ${addressOf(publicUrl, accountId, shop.token)}, and nothing is made of them. Its API could not be used for ${KEPT / DAY} days, and its key is forgotten here.`;
      await notifyShopOwner(this.#deps, tx, accountId, news, means);
    });
  }

  async #forget(handle: ShopsHandle, { accountId }: Work, id: string): Promise<boolean> {
    const deleted = await handle
      .deleteFrom('shop_farewells')
      .where('developer_id', '=', accountId)
      .where('id', '=', id)
      .returning('id')
      .execute();
    return deleted.length > 0;
  }
}

/**
 * Takes all credentials of an account's shops, in the transaction that deletes the account, so that none is kept.
 * @returns what was taken.
 */
export async function takeCredentials(tx: ShopsHandle, accountId: string): Promise<DepartedShop[]> {
  const shops = await tx
    .selectFrom('shop_connections')
    .select(['id', 'kind', 'mode', 'token', 'credentials'])
    .where('developer_id', '=', accountId)
    .execute();
  const pending = await tx
    .deleteFrom('shop_farewells')
    .where('developer_id', '=', accountId)
    .returning(['shop_id', 'credentials'])
    .execute();
  return shops.flatMap(({ id, credentials, ...shop }) => {
    const keys = pending.filter(({ shop_id }) => shop_id === id).map((each) => each.credentials);
    const all = credentials !== null && needsFarewell(shop.kind) ? [...keys, credentials] : keys;
    return all.map((key) => ({ ...shop, credentials: key }));
  });
}

/** Once an account is deleted: asks each of its shops to send nothing any more, once, by keys that are nowhere but in memory. It does not fail. */
export async function sendLastFarewells(
  deps: FetchDependencies & { publicUrl: string; log: Logger },
  accountId: string,
  shops: readonly DepartedShop[],
): Promise<void> {
  const endSubscriptions = async (shop: DepartedShop) => {
    const opened = apiOf(deps, shop, LAST_TRY);
    const leaving = opened?.connector.leaving;
    if (!opened || !leaving) return;
    const made = await leaving.made(opened.api, addressOf(deps.publicUrl, accountId, shop.token));
    await leaving.end(opened.api, made);
  };
  for (const { status, ...end } of await Promise.allSettled(shops.map(endSubscriptions))) {
    const error = 'reason' in end ? end.reason : null;
    if (status === 'rejected' && !(error instanceof ShopRefuses || error instanceof ShopAway))
      deps.log.warn({ err: error }, 'a shop of a deleted account could not be left');
  }
}
