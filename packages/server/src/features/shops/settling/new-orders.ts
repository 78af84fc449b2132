import { sql } from 'kysely';
import { holdAccounts } from '#features/accounts';
import { countSold, issueSold, noteLowStock, type SoldCount, type SoldSerial, takeSold } from '#features/serials';
import type { Clock } from '#platform/clock.ts';
import { isReseller } from '../connections/owner.ts';
import { drawReference } from '../orders/drawing.ts';
import { findTwinned, hasOtherShops } from '../orders/duplicates.ts';
import { notifyOrdersChanged } from '../orders/order-events.ts';
import * as q from '../orders/order-rows.queries.ts';
import { findShop } from '../orders/shop-rows.queries.ts';
import { testCode } from '../orders/test-codes.ts';
import { noteDone, readingOf } from '../reconcile/what-came.ts';
import type { ShopsDb, ShopsHandle } from '../tables.ts';
import { byPool, type Came, type Draft, draftsOf, type Group, groupsOf, productsOf } from './drafts.ts';
import { saleOf } from './issuing.ts';
import { OrderEmails } from './order-emails.ts';
import { holdSellable, type Sellable } from './products.queries.ts';
import { isNoted, languageOf, paidOf, type SettlingDependencies, type Shop, unitPlace } from './work.ts';

/** The most that one transaction settles. */
export const MOST = { orders: 50, deliveries: 200, bytes: 4 * 1024 * 1024 };
/** The most bytes of an order's deliveries. */
const LONGEST = 64 * 1024;

interface Dependencies
  extends Pick<SettlingDependencies, 'random' | 'events' | 'orderedCodes' | 'orderDraws' | 'onLowStock'> {
  db: ShopsDb;
  clock: Clock;
}

/** Something is not as it was a moment ago: nothing stays, and each order is settled by itself. */
class NotSimple extends Error {
  override name = 'NotSimple';
}

/**
 * Settles new orders of one shop in one transaction, of which each statement is for all of them: what most orders of a busy day are. An order is
 * simple if it is heard of for the first time and was paid, each line is mapped to new serials or to stock that is there, a reseller's to their own,
 * no other shop of the account may have brought the same sale, and nothing about it has to be asked. Tests are as simple. What else there is takes
 * its time alone, by `Settling`. Both use the same rules and lock the same things in the same order: the account, the deliveries, the orders, what makes two sales the
 * same, the products, the stock, the batches.
 */
export class NewOrders {
  readonly #deps: Dependencies;
  readonly #emails: OrderEmails;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#emails = new OrderEmails(deps);
  }

  /** @returns the keys of the orders that are settled, with all that waited of them. */
  async settle(accountId: string, shopId: string, orderKeys: readonly string[]): Promise<ReadonlySet<string>> {
    try {
      return await this.#deps.db.work({ tx: true }, (tx) => this.#settle(tx, { accountId, shopId, orderKeys }));
    } catch (error) {
      if (error instanceof NotSimple) return new Set();
      throw error;
    }
  }

  async #settle(
    tx: ShopsHandle,
    { accountId, shopId, orderKeys }: { accountId: string; shopId: string; orderKeys: readonly string[] },
  ): Promise<ReadonlySet<string>> {
    const now = this.#deps.clock.now();
    const shop = await findShop(tx, accountId, shopId);
    if (!shop || shop.deleted_at !== null || shop.state === 'off') return new Set();
    const [account] = await holdAccounts(tx, [accountId], { wait: true });
    if (!account) return new Set();
    const isDrawing = await isReseller(tx, accountId);
    const of = { developer_id: accountId, connection_id: shopId };
    if (isNoted(shop)) return new Set();
    const isBeside = shop.on_duplicate !== 'ignore' && (await hasOtherShops(tx, of));

    const came = await this.#came(tx, shop, orderKeys);
    const drafts = await draftsOf(this.#deps.random, tx, shop, came, { isDrawing, now });
    if (drafts.length === 0) return new Set();
    const added = await q.addOrders(
      tx,
      drafts.map(({ order }) => order),
    );
    const fresh = drafts.filter(({ order }) => added.has(order.external_id));
    const accepted = isBeside ? await this.#withoutTwins(tx, fresh) : fresh;
    if (accepted.length === 0) return new Set();
    const lines = accepted.flatMap((draft) => draft.lines);
    await q.addLines(tx, lines);
    const counts = isDrawing ? await this.#draw(tx, shop, accepted, now) : await this.#sell(tx, shop, accepted, now);
    await q.addUnits(
      tx,
      accepted.flatMap(({ units }) => units),
    );
    await notifyOrdersChanged(
      this.#deps,
      tx,
      accepted.map(({ order, units }) => ({
        order,
        before: { state: 'seen', reasons: [] },
        work: { units: new Map(units.map((unit) => [unitPlace(unit), unit])), changed: new Set(units), now },
      })),
    );
    await noteDone(
      tx,
      accountId,
      accepted.flatMap((draft) => draft.came),
      now,
    );
    // the row of a batch, which all orders of its product wait for, is held for the shortest time
    await countSold(tx, accountId, counts);
    return new Set(accepted.map(({ order }) => order.external_id));
  }

  /** Gives the orders of a developer their serials, and emails them. @returns the batches that are to be counted. */
  async #sell(tx: ShopsHandle, shop: Shop, drafts: readonly Draft[], now: Date): Promise<SoldCount[]> {
    const products = productsOf(drafts);
    const sellable = await holdSellable(tx, shop.developer_id, products);
    // one was deleted since it was looked at
    if (sellable.size < products.length) throw new NotSimple();
    const groups = drafts.filter(({ order }) => !order.is_test).flatMap(groupsOf);
    const taken = await this.#takeStock(tx, groups, now);
    const sales = groups.filter(({ line }) => line.source !== 'pool').map((group) => saleOf(shop, group, now));
    const { serials: made, counts } = await issueSold(tx, this.#deps.random, sales, now);
    const serials = [...taken, ...made];
    giveSerials(drafts, serials, now);
    this.#giveTestCodes(drafts, now);
    if (shop.delivering === 'us') await this.#email(tx, drafts, serials, sellable);
    return counts;
  }

  /** Gives the orders of a reseller codes of their stock, each a draw, and emails each. @returns no batches: those are of their developers. */
  async #draw(tx: ShopsHandle, shop: Shop, drafts: readonly Draft[], now: Date): Promise<[]> {
    const { orderDraws } = this.#deps;
    const resellerId = shop.developer_id;
    const isTest = ({ order }: Draft) => order.is_test;
    const real = drafts.filter((draft) => !isTest(draft));
    for (const groups of byPool(real.flatMap(groupsOf))) {
      const [{ line, productId }] = groups as [Group];
      const draws = groups.flatMap(({ order, line: { external_id }, units }) =>
        units.map(({ id, n }) => ({ id, reference: drawReference(shop.id, order.external_id, external_id, n) })),
      );
      const { drawn } = await orderDraws.handOut(tx, { resellerId, productId, batchTag: line.batch_tag, draws });
      // each order is settled by itself, which decides the ones that wait
      if (drawn.length < draws.length) throw new NotSimple();
      const codes = new Map(drawn.map(({ id, code }) => [id, code]));
      for (const unit of groups.flatMap(({ units }) => units))
        Object.assign(unit, { state: 'issued', code: codes.get(unit.id), draw_id: unit.id, issued_at: now });
    }
    this.#giveTestCodes(drafts, now);
    if (shop.delivering !== 'us') return [];
    await this.#emails.emailNew(tx, resellerId, real);
    const tests = drafts.filter(isTest);
    if (tests.length > 0) await this.#email(tx, tests, [], new Map());
    return [];
  }

  /** Orders that another shop of the account may have brought, too, are as if they had not been begun: they are compared alone. */
  async #withoutTwins(tx: ShopsHandle, drafts: readonly Draft[]): Promise<Draft[]> {
    const twinned = await findTwinned(
      tx,
      drafts.map(({ order }) => order),
    );
    if (twinned.size > 0)
      await tx
        .deleteFrom('shop_orders')
        .where('developer_id', '=', (drafts[0] as Draft).order.developer_id)
        .where('id', '=', sql<string>`any(${[...twinned]}::uuid[])`)
        .execute();
    return drafts.filter(({ order }) => !twinned.has(order.id));
  }

  /** Serials from stock for all orders that draw from the same, in the order of the products. */
  async #takeStock(tx: ShopsHandle, groups: readonly Group[], now: Date): Promise<SoldSerial[]> {
    const serials: SoldSerial[] = [];
    for (const some of byPool(groups.filter(({ line }) => line.source === 'pool'))) {
      const [{ line, productId }] = some as [Group];
      const { developer_id: developerId, batch_tag: batchTag } = line;
      const units = some.flatMap((group) => group.units.map((unit) => ({ id: unit.id, paidCents: paidOf(unit) })));
      const taken = await takeSold(tx, { developerId, productId, batchTag }, units, now);
      // each order is settled by itself, which decides the ones that wait
      if (taken.length < units.length) throw new NotSimple();
      await noteLowStock(this.#deps, tx, developerId, productId);
      serials.push(...taken);
    }
    return serials;
  }

  #giveTestCodes(drafts: readonly Draft[], now: Date): void {
    for (const { order, units } of drafts) {
      if (!order.is_test) continue;
      for (const unit of units)
        Object.assign(unit, { state: 'issued', code: testCode(this.#deps.random), issued_at: now });
    }
  }

  /** The waiting deliveries of these orders, locked until the transaction ends. Orders that do not fit are left out. */
  async #came(tx: ShopsHandle, shop: Shop, orderKeys: readonly string[]): Promise<Map<string, Came[]>> {
    const { developer_id: accountId, id: shopId } = shop;
    const held = await tx
      .selectFrom('shop_deliveries')
      .select(['id', 'order_key', sql<number>`octet_length(body)`.as('bytes')])
      .where('developer_id', '=', accountId)
      .where('connection_id', '=', shopId)
      .where('order_key', '=', sql<string>`any(${orderKeys}::text[])`)
      .where('state', '=', 'received')
      .orderBy('id')
      .limit(MOST.deliveries + 1)
      .forNoKeyUpdate()
      .execute();
    // some of an order may be missing
    if (held.length > MOST.deliveries) throw new NotSimple();
    let left = MOST.bytes;
    const wanted: string[] = [];
    for (const [, some] of Map.groupBy(held, ({ order_key }) => order_key)) {
      const bytes = some.reduce((sum, each) => sum + each.bytes, 0);
      if (bytes > LONGEST || bytes > left) continue;
      left -= bytes;
      wanted.push(...some.map(({ id }) => id));
    }
    if (wanted.length === 0) return new Map();
    const rows = await tx
      .selectFrom('shop_deliveries')
      .select(['id', 'order_key', 'body', 'headers'])
      .where('developer_id', '=', accountId)
      .where('id', '=', sql<string>`any(${wanted}::uuid[])`)
      .orderBy('id')
      .execute();
    const came = new Map<string, Came[]>();
    for (const { id, order_key, body, headers } of rows) {
      const reading = readingOf(shop, Buffer.from(body), JSON.parse(headers) as Record<string, string>);
      const key = order_key as string;
      came.set(key, [...(came.get(key) ?? []), { id, reading }]);
    }
    return came;
  }

  async #email(
    tx: ShopsHandle,
    drafts: readonly Draft[],
    serials: readonly SoldSerial[],
    products: ReadonlyMap<string, Sellable>,
  ): Promise<void> {
    const redeemBy = new Map(serials.map(({ unitId, expiresAt }) => [unitId, expiresAt]));
    const emails = drafts.map(({ order, units }) => {
      const sorted = [...units].sort((a, b) => (a.id < b.id ? -1 : 1));
      return {
        emailId: (sorted[0] as q.UnitRow).id,
        number: order.number,
        email: order.email as string,
        language: languageOf(order.language),
        codes: sorted.map(({ id, code, product_id }) => ({
          product: products.get(product_id)?.name ?? '',
          code: code as string,
          redeemBy: redeemBy.get(id) ?? null,
        })),
      };
    });
    const [{ order }] = drafts as [Draft];
    if (!(await this.#deps.orderedCodes.queue(tx, order.developer_id, emails))) return;
    for (const [at, { units }] of drafts.entries())
      for (const unit of units) Object.assign(unit, { state: 'delivered', mail_id: emails[at]?.emailId });
  }
}

function giveSerials(drafts: readonly Draft[], serials: readonly SoldSerial[], now: Date): void {
  const byUnit = new Map(serials.map((serial) => [serial.unitId, serial]));
  for (const { units, order } of drafts)
    for (const unit of order.is_test ? [] : units) {
      const { id, code } = byUnit.get(unit.id) as SoldSerial;
      Object.assign(unit, { state: 'issued', code, serial_id: id, issued_at: now });
    }
}
