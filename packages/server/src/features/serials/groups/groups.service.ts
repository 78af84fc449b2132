import { recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import type { Sql } from '#platform/db/database.ts';
import { BY_INDEX } from '#platform/db/statements/by-index.ts';
import { AppError, notFound } from '#platform/errors.ts';
import { decodeIdCursor, pageOf, uncounted } from '#platform/http/answers/cursor.ts';
import { keyedByName } from '#platform/keyed-by-name.ts';
import type { Exports } from '#platform/spool/exports.ts';
import { periodOf } from '#platform/time/days.ts';
import { countSerials, listSerials } from '../list/serial-list.queries.ts';
import { type StreamFormat, serialsExport } from '../list/serials-export.ts';
import { type LowStockDependencies, noteLowPools, poolsOf } from '../stock/low-stock.ts';
import type { SerialsDb } from '../tables.ts';
import { availableGroups, batchesOfGroup, countOpen, deleteOpen, type GroupRef } from './groups.queries.ts';
import type { AvailableSerials } from './groups.schemas.ts';

interface Dependencies extends LowStockDependencies {
  db: SerialsDb;
  exports: Exports;
}

/** Available serials, by product and by promo. */
export class SerialGroups {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async available(
    caller: Principal,
    query: { search?: string | undefined; dateRange: string },
  ): Promise<AvailableSerials> {
    const { db, clock } = this.#deps;
    const groups = await availableGroups(db, {
      developerId: caller.accountId,
      search: query.search || undefined,
      period: periodOf(query.dateRange, caller.timeZone, clock),
      now: clock.now(),
    });
    const answer: AvailableSerials = {
      regular: keyedByName(),
      promos: keyedByName(),
      counts: { regular: keyedByName(), promos: keyedByName() },
      groups: groups.map(({ serials: _, total: __, n: count, ...group }) => ({ ...group, count })),
      total: groups[0]?.total ?? 0,
    };
    for (const { name, kind, n, serials } of groups) {
      if (kind === 'promo') {
        answer.promos[name] ??= { serials: [] };
        answer.promos[name].serials.push(...serials);
        answer.counts.promos[name] = (answer.counts.promos[name] ?? 0) + n;
      } else {
        answer.regular[name] = serials;
        answer.counts.regular[name] = n;
      }
    }
    return answer;
  }

  /** All of a group, page by page. */
  async list(caller: Principal, ref: GroupRef, query: { limit: number; cursor?: string | undefined; count: boolean }) {
    const batches = await this.#batchesOf(caller, ref);
    const filter = this.#openIn(caller, batches);
    const after = decodeIdCursor(query.cursor);
    return this.#deps.db.work({ tx: true, settings: BY_INDEX }, async (sql) => {
      const rows = await listSerials(sql, filter, after, query.limit + 1);
      const page = pageOf(rows, query.limit);
      return { ...page, ...(query.count ? await countSerials(sql, filter) : uncounted(page)) };
    });
  }

  async stream(caller: Principal, ref: GroupRef, format: StreamFormat, signal: AbortSignal) {
    const batches = await this.#batchesOf(caller, ref);
    await this.#audit(this.#deps.db, caller, 'serials_exported', `group ${ref.name}`);
    return this.#deps.exports.open(
      caller.accountId,
      serialsExport(this.#openIn(caller, batches), format, caller.timeZone),
      signal,
    );
  }

  /**
   * Deletes what a group still has; serials that were handed out, redeemed or revoked stay.
   * @throws {AppError} ambiguous_group when several groups share the name; not_found.
   */
  async delete(caller: Principal, ref: GroupRef, dryRun: boolean) {
    const { db } = this.#deps;
    const batches = await this.#batchesOf(caller, ref);
    if (dryRun) return countOpen(db, caller.accountId, batches);
    return db.work({ lane: 'bulk', account: caller.accountId, tx: true }, async (tx) => {
      const pools = await poolsOf(tx, caller.accountId, batches);
      const count = await deleteOpen(tx, caller.accountId, batches);
      await noteLowPools(this.#deps, tx, caller.accountId, pools);
      await this.#audit(tx, caller, 'serials_deleted', `${count} of group ${ref.name}`);
      return count;
    });
  }

  #audit(
    handle: Sql,
    caller: Principal,
    action: 'serials_exported' | 'serials_deleted',
    detail: string,
  ): Promise<void> {
    return recordAudit(handle, caller.accountId, { action, at: this.#deps.clock.now(), detail });
  }

  async #batchesOf(caller: Principal, { name, kind, product_id }: GroupRef): Promise<string[]> {
    const group = { developerId: caller.accountId, name, kind, product_id, now: this.#deps.clock.now() };
    const batches = await batchesOfGroup(this.#deps.db, group);
    if (batches.length === 0) throw notFound('Group');
    const products = new Map(batches.map((batch) => [batch.product_id, batch.product_name]));
    if (products.size > 1) throw ambiguous(name, batches, [...products.values()]);
    return batches.map((batch) => batch.id);
  }

  #openIn(caller: Principal, batchIds: string[]) {
    return {
      developerId: caller.accountId,
      state: 'available' as const,
      productId: undefined,
      batchIds,
      search: undefined,
      now: this.#deps.clock.now(),
    };
  }
}

function ambiguous(name: string, batches: { kind: string }[], products: string[]): AppError {
  const kinds = new Set(batches.map((batch) => batch.kind));
  return new AppError(
    'ambiguous_group',
    kinds.size === products.length
      ? `"${name}" is both a product and a promo. Specify kind=regular or kind=promo.`
      : `"${name}" matches groups of ${products.length} products: ${products.map((each) => `"${each}"`).join(', ')}. Specify product_id.`,
  );
}
