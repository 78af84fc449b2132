import { sql } from 'kysely';
import { holdAccounts } from '#features/accounts';
import type { Clock } from '#platform/clock.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Random } from '#platform/random.ts';
import { notifyShopOwner, type ShopEmailDependencies } from '../connections/shop-emails.ts';
import { noteTrouble } from '../connections/trouble.ts';
import { ShopRefuses } from '../connectors/api.ts';
import { connectors } from '../connectors/index.ts';
import type { Reading } from '../connectors/port.ts';
import { merge } from '../orders/merge.ts';
import * as q from '../orders/order-rows.queries.ts';
import { findSealed, findShop } from '../orders/shop-rows.queries.ts';
import { ratesFor } from '../rates/rates.queries.ts';
import { completed, type FetchDependencies } from '../reconcile/fetching.ts';
import { forgetErased, keyOf, type News, newsOf, noteDone, readingOf } from '../reconcile/what-came.ts';
import { nameProducts } from '../settling/mapping.ts';
import type { Answer } from '../settling/outcome.ts';
import type { Settling } from '../settling/settling.ts';
import { isNoted, type Shop } from '../settling/work.ts';
import type { ShopsDb, ShopsHandle } from '../tables.ts';
import { noteJob, type OrderWork, orderJob } from './order-job.ts';

/** Among what is settled of an order: its address was entered here, and the shop's is no longer used. */
export const BY_HAND = 'email_by_hand';

/** The most deliveries that one transaction works on. */
const AT_ONCE = 100;

interface Dependencies extends FetchDependencies, ShopEmailDependencies {
  db: ShopsDb;
  clock: Clock;
  jobs: Jobs;
  random: Random;
  settling: Settling;
}

/** Brings orders up to date with what came: each in one transaction, under a lock, so that it ends as if all had come at once. */
export class OrderWorker {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** The job. Whatever came twice, late or in another order, it ends in the same. */
  async run(work: OrderWork): Promise<void> {
    for (;;) {
      const prepared = await this.#prepared(work);
      if (prepared === 'refused' || (await this.#some(work, prepared)) < AT_ONCE) return;
    }
  }

  /**
   * Reads the waiting deliveries, with the data that only the shop's API has. The API is asked before there is a
   * transaction, and only for shops that leave something out. Later deliveries have a job of their own.
   * @returns null: nothing has to be asked for; refused: the order waits until somebody fixes the shop's refusal.
   */
  async #prepared({
    accountId,
    shopId,
    orderKey,
  }: OrderWork): Promise<ReadonlyMap<string, Reading> | null | 'refused'> {
    const { db } = this.#deps;
    const shop = await findSealed(db, accountId, shopId);
    if (!shop || shop.deleted_at !== null || shop.state === 'off' || !connectors[shop.kind].api) return null;
    const waiting = await db
      .selectFrom('shop_deliveries')
      .select(['id', 'body', 'headers'])
      .where('developer_id', '=', accountId)
      .where('connection_id', '=', shopId)
      .where('order_key', '=', orderKey)
      .where('state', '=', 'received')
      .orderBy('id')
      .limit(AT_ONCE)
      .execute();
    const readings = waiting.map(({ body, headers }) =>
      readingOf(shop, Buffer.from(body), JSON.parse(headers) as Record<string, string>),
    );
    if (!readings.some((reading) => 'lacks' in reading)) return null;
    try {
      const all = await completed(this.#deps, shop, readings);
      return new Map(waiting.map(({ id }, at) => [id, all[at] as Reading]));
    } catch (error) {
      if (!(error instanceof ShopRefuses)) throw error;
      await this.#reportTrouble(accountId, shopId, error.message);
      return 'refused';
    }
  }

  #reportTrouble(accountId: string, shopId: string, trouble: string): Promise<void> {
    return this.#deps.db.work({ tx: true }, async (tx) => {
      const name = await noteTrouble(tx, { accountId, shopId, trouble });
      if (name !== null)
        await notifyShopOwner(this.#deps, tx, accountId, { shop_id: shopId, name, what: 'trouble', detail: trouble });
    });
  }

  /** @returns how many deliveries it has worked on. */
  #some({ accountId, shopId, orderKey }: OrderWork, prepared: ReadonlyMap<string, Reading> | null): Promise<number> {
    const { db, clock } = this.#deps;
    return db.work({ tx: true }, async (tx) => {
      const shop = await findShop(tx, accountId, shopId);
      if (!shop || shop.deleted_at !== null || shop.state === 'off') return 0;
      // an account that is being deleted is deleted first
      const [account] = await holdAccounts(tx, [accountId], { wait: true });
      if (!account) return 0;
      const deliveries = await tx
        .selectFrom('shop_deliveries')
        .select(['id', 'body', 'headers'])
        .where('developer_id', '=', accountId)
        .where('connection_id', '=', shopId)
        .where('order_key', '=', orderKey)
        .where('state', '=', 'received')
        // deliveries that the API was not asked about have a job of their own
        .$if(prepared !== null, (some) =>
          some.where('id', '=', sql<string>`any(${[...(prepared?.keys() ?? [])]}::uuid[])`),
        )
        .orderBy('id')
        .limit(AT_ONCE)
        .forNoKeyUpdate()
        .execute();
      const readings = deliveries.flatMap(({ id, body, headers }) => {
        const reading = prepared
          ? prepared.get(id)
          : readingOf(shop, Buffer.from(body), JSON.parse(headers) as Record<string, string>);
        // it came while those before it were read, and nobody has asked about it
        return reading && (prepared || !('lacks' in reading)) ? [{ id, reading }] : [];
      });
      const own = readings.filter(({ reading }) => keyOf(reading, orderKey) === orderKey);
      await this.#move(
        tx,
        { accountId, shopId },
        readings.filter((each) => !own.includes(each)),
      );
      await noteDone(tx, accountId, own, clock.now());
      const orderId = await this.apply(tx, shop, orderKey, newsOf(own.map(({ reading }) => reading)));
      if (orderId !== null) await forgetErased(tx, { accountId, orderId, ids: own.map(({ id }) => id) });
      return readings.length;
    });
  }

  /** Moves deliveries that turn out to be about other orders to those orders, where they wait for their turn. */
  async #move(
    tx: ShopsHandle,
    { accountId, shopId }: Pick<OrderWork, 'accountId' | 'shopId'>,
    others: readonly { id: string; reading: Reading }[],
  ): Promise<void> {
    for (const { id, reading } of others) {
      const orderKey = keyOf(reading, '');
      await tx
        .updateTable('shop_deliveries')
        .set({ order_key: orderKey })
        .where('developer_id', '=', accountId)
        .where('id', '=', id)
        .execute();
      await this.#deps.jobs.enqueue(tx, orderJob, { accountId, shopId, orderKey });
    }
  }

  /**
   * Adds what is new to an order and brings its serials up to date, in the caller's transaction. Without news, an order that is there is
   * looked at again.
   * @returns its id; null: there is none.
   */
  async apply(
    tx: ShopsHandle,
    shop: Shop,
    externalId: string,
    { orders, reversals, isFound = false }: News,
    answer?: Answer,
  ): Promise<string | null> {
    const { clock, jobs, random, settling } = this.#deps;
    const { developer_id: accountId } = shop;
    const now = clock.now();
    const idOf = () => random.id();
    const key = { id: random.id(), accountId, shopId: shop.id, externalId, now };
    const isNews = orders.length > 0 || reversals.length > 0;
    const order = isNews ? await q.holdOrder(tx, key) : await q.findHeld(tx, accountId, shop.id, externalId);
    if (!order) return null;
    if (orders.length > 0) {
      const rateOf = await ratesFor(tx, orders);
      const before = q.knownOf(order, await q.findLines(tx, order));
      const wasPaid = order.paid_at !== null;
      const known = orders.reduce((sum, version) => merge(sum, version, rateOf), before);
      // an address that somebody has entered here stays
      const email = order.settled.includes(BY_HAND) ? order.email : known.email;
      Object.assign(order, q.fieldsOf({ ...known, email }, { shop, isErased: order.erased_at !== null }));
      if (!isFound) order.found_at = null;
      else if (!wasPaid && order.paid_at !== null) order.found_at = now;
      await q.writeLines(tx, order, known.lines, idOf);
      const named = new Map(known.lines.map((line) => [line.externalId, line.productIds]));
      await nameProducts(tx, order, named);
    }
    await q.addReversals(tx, order, reversals, { idOf, now, isFound });
    await settling.settle(tx, shop, order, answer);
    if (isNoted(shop) && (await q.hasUnwritten(tx, order)))
      await jobs.enqueue(tx, noteJob, { accountId, shopId: shop.id, orderKey: externalId });
    return order.id;
  }
}
