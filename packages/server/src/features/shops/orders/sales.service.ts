import { lockAccount } from '#features/accounts';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { base62, type Random } from '#platform/random.ts';
import { orderOf } from '../connectors/sale.schemas.ts';
import { findSellableIds } from '../items/product-names.ts';
import { limits as policies } from '../limits.ts';
import type { OrderWorker } from '../queue/order-worker.ts';
import type { Shop } from '../settling/work.ts';
import type { ShopsDb, ShopsHandle } from '../tables.ts';
import * as q from './order-rows.queries.ts';
import type { RecordedSale, SaleForm } from './orders.schemas.ts';
import { findShop } from './shop-rows.queries.ts';
import type { Reason } from './states.ts';

interface Dependencies {
  db: ShopsDb;
  clock: Clock;
  random: Random;
  limits: RateLimits;
  worker: OrderWorker;
}

/** Sales that somebody records by a call: from a form, a fair, or a program between a shop and us. */
export class Sales {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Records a paid order and issues its serials at once. The shop and its number name it: recorded again, it is the same order, and what is
   * new about it is added.
   * @throws {AppError} not_found for a shop; invalid_request for a product; domain_rule for a shop that is paused or of another kind.
   */
  async record(caller: Principal, form: SaleForm): Promise<RecordedSale> {
    const { db, clock, limits, worker } = this.#deps;
    const { accountId } = caller;
    await limits.take(policies.shop_sales, accountId);
    return db.work({ tx: true }, async (tx) => {
      await lockAccount(tx, caller);
      const shop = await this.#shopOf(tx, accountId, form.shop_id);
      await assertProducts(tx, caller, form);
      const now = clock.now();
      const order = orderOf(form, { paidAt: form.paid_at ?? now, versionAt: now });
      const id = await worker.apply(tx, shop, order.id, { orders: [order], reversals: [] });
      return answerOf(tx, { developer_id: accountId, id: id as string });
    });
  }

  async #shopOf(tx: ShopsHandle, accountId: string, shopId: string | undefined): Promise<Shop> {
    if (shopId === undefined) return this.#recorded(tx, accountId);
    const shop = await findShop(tx, accountId, shopId);
    if (!shop || shop.deleted_at !== null) throw notFound('Shop');
    if (shop.kind !== 'other') throw new AppError('domain_rule', 'Such a shop reports its sales itself.');
    if (shop.state === 'off') throw new AppError('domain_rule', 'This shop is paused. Resume it first.');
    return shop;
  }

  /** The shop of all sales that an account records without naming a shop, made when it is first needed. */
  async #recorded(tx: ShopsHandle, accountId: string): Promise<Shop> {
    const { clock, random } = this.#deps;
    const find = () =>
      tx
        .selectFrom('shop_connections')
        .select('id')
        .where('developer_id', '=', accountId)
        .where('is_recorded', 'is', true)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
    let known = await find();
    if (!known) {
      // its account is locked, so nobody else makes one
      await tx
        .insertInto('shop_connections')
        .values({
          id: random.id(),
          developer_id: accountId,
          kind: 'other',
          name: 'Recorded sales',
          mode: 'live',
          token: base62(random, 32),
          state: 'active',
          delivering: 'us',
          on_refund: 'ask',
          on_dispute: 'suspend',
          on_duplicate: 'warn',
          is_recorded: true,
          created_at: clock.now(),
        })
        .execute();
      known = await find();
    }
    const shop = known && (await findShop(tx, accountId, known.id));
    if (!shop) throw new Error('a shop that was made is not there');
    return shop;
  }
}

async function assertProducts(tx: ShopsHandle, caller: Principal, { lines }: SaleForm): Promise<void> {
  const ids = [...new Set(lines.flatMap(({ product_ids = [] }) => product_ids))];
  const found = await findSellableIds(tx, caller, ids);
  for (const [n, { product_ids = [], sku }] of lines.entries()) {
    if (product_ids.length === 0 && !sku) throw invalidField(`lines.${n}.sku`, 'Name a SKU or products.');
    for (const [m, id] of product_ids.entries())
      if (!found.has(id)) throw invalidField(`lines.${n}.product_ids.${m}`, 'There is no such product.');
  }
}

async function answerOf(tx: ShopsHandle, key: Pick<q.OrderRow, 'developer_id' | 'id'>): Promise<RecordedSale> {
  const [lines, units] = [await q.findLines(tx, key), await q.findUnits(tx, key)];
  const reasons = await tx
    .selectFrom('shop_orders')
    .select('reasons')
    .where('developer_id', '=', key.developer_id)
    .where('id', '=', key.id)
    .executeTakeFirstOrThrow();
  const called = new Map(lines.map((line) => [line.id, line.external_id]));
  const lineOf = ({ line_id }: q.UnitRow) => called.get(line_id) as string;
  const missing = new Set(units.filter(({ state }) => state === 'waiting' || state === 'wanted').map(lineOf));
  const why: Reason = reasons.reasons.find((each) => each === 'product_gone' || each === 'too_many') ?? 'out_of_stock';
  return {
    order_id: key.id,
    serials: units
      .filter(({ code, state }) => code !== null && (state === 'issued' || state === 'delivered'))
      .map((unit) => ({ code: unit.code as string, product_id: unit.product_id, line: lineOf(unit) })),
    waiting: lines
      .filter(({ external_id: line, product_ids }) => product_ids === null || missing.has(line))
      .map(({ external_id: line, product_ids }) => ({ line, why: product_ids === null ? 'unmapped' : why })),
  };
}
