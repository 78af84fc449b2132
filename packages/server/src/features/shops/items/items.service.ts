import { lockAccount } from '#features/accounts';
import { recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { invalidField, notFound } from '#platform/errors.ts';
import { decodeCursor, isText, pageOf } from '#platform/http/answers/cursor.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { momentOf } from '#platform/time/days.ts';
import { holdShop } from '../connections/connections.queries.ts';
import { limits as policies } from '../limits.ts';
import { waitingJob } from '../queue/order-job.ts';
import type { ShopsDb, ShopsHandle } from '../tables.ts';
import * as q from './items.queries.ts';
import type { ItemForm, ItemView } from './items.schemas.ts';
import { findProductNames, findSellableIds } from './product-names.ts';

interface Dependencies {
  db: ShopsDb;
  clock: Clock;
  limits: RateLimits;
  jobs: Jobs;
}

/** Maps the items that a shop sells to products here. */
export class Items {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async list(
    accountId: string,
    shopId: string,
    query: { unmapped: boolean; limit: number; cursor?: string | undefined },
  ) {
    const { db } = this.#deps;
    const [after] = decodeCursor(query.cursor, [isText]) ?? [];
    if (!(await q.isShop(db, accountId, shopId))) throw notFound('Shop');
    const rows = await q.itemsAfter(db, accountId, shopId, { ...query, after });
    const page = pageOf(
      rows.map((row) => ({ id: row.key, row })),
      query.limit,
    );
    const views = await this.#viewsOf(
      accountId,
      page.rows.map(({ row }) => row),
    );
    return { rows: views, next_cursor: page.next_cursor };
  }

  /**
   * Maps some of it from now on; what waits for it, or for serials, is delivered at once. What has been delivered stays as it is.
   * @throws {AppError} not_found; invalid_request for products that are not there.
   */
  async map(caller: Principal, shopId: string, forms: readonly ItemForm[]): Promise<ItemView[]> {
    const { db, clock, limits, jobs } = this.#deps;
    const { accountId } = caller;
    await limits.take(policies.shop_changes, accountId);
    const until = forms.map(({ expires_at }, n) =>
      momentOf(expires_at, 'end', caller.timeZone, `items.${n}.expires_at`),
    );
    const isReseller = caller.role === 'reseller';
    const keys = forms.map(({ key }) => key);
    await db.work({ tx: true }, async (tx) => {
      await lockAccount(tx, caller);
      const shop = await holdShop(tx, accountId, shopId).select('name').executeTakeFirst();
      if (!shop) throw notFound('Shop');
      await assertProducts(tx, caller, forms);
      const known = new Map((await q.findItems(tx, accountId, shopId, keys)).map((item) => [item.key, item]));
      const now = clock.now();
      await q.mapItems(
        tx,
        forms.map((form, n) => ({
          developer_id: accountId,
          connection_id: shopId,
          key: form.key,
          name: form.name || known.get(form.key)?.name || form.key,
          product_ids: form.product_ids,
          units: form.units,
          // a reseller's come from the pool, whose terms are the developer's
          source: isReseller ? 'pool' : form.source,
          batch_tag: form.batch_tag,
          prefix: isReseller ? null : form.prefix,
          expires_at: isReseller ? null : (until[n] ?? null),
          renewals: form.renewals,
          seen_at: known.get(form.key)?.seen_at ?? now,
          mapped_at: now,
        })),
      );
      await recordAudit(tx, accountId, { action: 'shop_changed', at: now, detail: shop.name, objectId: shopId });
      await jobs.enqueue(tx, waitingJob, { accountId, shopId });
    });
    const found = await this.#viewsOf(accountId, await q.findItems(db, accountId, shopId, keys));
    const rows = new Map(found.map((item) => [item.key, item]));
    return keys.flatMap((key) => rows.get(key) ?? []);
  }

  /** Deletes an item. Later sales of it wait until it is mapped again. @throws {AppError} not_found */
  async delete(caller: Principal, shopId: string, key: string): Promise<void> {
    const { db, clock } = this.#deps;
    await db.work({ tx: true }, async (tx) => {
      await lockAccount(tx, caller);
      const shop = await holdShop(tx, caller.accountId, shopId).select('name').executeTakeFirst();
      if (!shop) throw notFound('Shop');
      if (!(await q.removeItem(tx, caller.accountId, shopId, key))) throw notFound('Item');
      const audited = { action: 'shop_changed', at: clock.now(), detail: shop.name, objectId: shopId } as const;
      await recordAudit(tx, caller.accountId, audited);
    });
  }

  /** Items with the names of their products. */
  async #viewsOf(accountId: string, rows: readonly q.ItemRow[]): Promise<ItemView[]> {
    const ids = rows.flatMap(({ product_ids }) => product_ids);
    const names = new Map((await findProductNames(this.#deps.db, accountId, ids)).map(({ id, name }) => [id, name]));
    return rows.map(({ developer_id: _, connection_id: __, ...item }) => ({
      ...item,
      products: item.product_ids.map((id) => ({ id, name: names.get(id) ?? null })),
    }));
  }
}

/** @throws {AppError} invalid_request, for the first product that is not there. */
async function assertProducts(tx: ShopsHandle, caller: Principal, forms: readonly ItemForm[]): Promise<void> {
  const ids = [...new Set(forms.flatMap(({ product_ids }) => product_ids))];
  const found = await findSellableIds(tx, caller, ids);
  for (const [n, { product_ids }] of forms.entries())
    for (const [m, id] of product_ids.entries())
      if (!found.has(id)) throw invalidField(`items.${n}.product_ids.${m}`, 'There is no such product.');
}
