import type { Readable } from 'node:stream';
import { recordAudit } from '#features/audit';
import { findGiven } from '#features/deals';
import { stockExport } from '#features/serials';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { notFound } from '#platform/errors.ts';
import type { Publisher } from '#platform/events.ts';
import { decodeIdCursor, type Page, pageOf } from '#platform/http/answers/cursor.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Random } from '#platform/random.ts';
import type { Exports } from '#platform/spool/exports.ts';
import { type DownloadFilter, downloadsExport, listDownloads, recordDownload } from './downloads.queries.ts';
import type { DownloadStockQuery, StockDownload } from './downloads.schemas.ts';
import { findPool } from './draw.queries.ts';
import type { StockEvent } from './draws.schemas.ts';
import { limits as policies } from './limits.ts';
import { paused } from './refusals.ts';
import { publishStock } from './stock-event.ts';
import type { DrawsDb } from './tables.ts';

interface Dependencies {
  db: DrawsDb;
  clock: Clock;
  random: Random;
  events: Publisher<StockEvent>;
  exports: Exports;
  limits: RateLimits;
}

interface ListQuery {
  reseller_id?: string | undefined;
  product_id?: string | undefined;
  batch_id?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Stock that resellers take as files. Its codes stay in the lists, but count as in circulation. */
export class StockDownloads {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * The serials of a product that the reseller may sell now, as CSV. What the file will hold is recorded before
   * its first line leaves, because a transfer that breaks off has given codes away too.
   * @throws {AppError} not_found, partner_paused.
   */
  async download(caller: Principal, query: DownloadStockQuery, signal: AbortSignal): Promise<Readable> {
    const { db, clock, random, events, exports, limits } = this.#deps;
    await limits.take(policies.stock_files, caller.accountId);
    await this.#stock(caller, query);
    const order = async () => {
      // again, because the partnership may have been paused or ended while the export waited for its turn
      const stock = await this.#stock(caller, query);
      const now = clock.now();
      await db.work({ tx: true, named: true }, async (tx) => {
        const codes = await recordDownload(tx, { id: random.id(), ...stock, now });
        const audited = { action: 'serials_exported', at: now, detail: `${codes} of the stock` } as const;
        if (codes > 0) await recordAudit(tx, caller.accountId, audited);
        const { batchIds: _, ...change } = stock;
        if (codes > 0)
          await publishStock(events, tx, { ...change, change: 'downloaded', resellerId: caller.accountId, codes });
      });
      return stockExport(stock.developerId, stock.batchIds, { now, timeZone: caller.timeZone });
    };
    return exports.open(caller.accountId, order, signal);
  }

  /** @throws {AppError} not_found, partner_paused. */
  async #stock(caller: Principal, query: DownloadStockQuery) {
    const { db } = this.#deps;
    const pool = await findPool(db, caller.accountId, query.product_id);
    if (!pool) throw notFound('Product');
    if (pool.status === 'paused') throw paused();
    const { developer_id: developerId, partnership_id: partnershipId } = pool;
    const productId = query.product_id;
    const batchIds = await findGiven(
      db,
      { developer_id: developerId, partnership_id: partnershipId, product_id: productId },
      query,
      caller.timeZone,
    );
    if (query.deal && batchIds.length === 0) throw notFound('Deal');
    return { developerId, partnershipId, productId, batchIds };
  }

  /** The files that a reseller took, in every status of the partnership. */
  async ofReseller(caller: Principal, query: ListQuery): Promise<Page<StockDownload>> {
    return this.#list({ resellerId: caller.accountId, developerId: null }, query);
  }

  /** All of a reseller's, as CSV. */
  ofResellerCsv(caller: Principal, productId: string | undefined, signal: AbortSignal): Promise<Readable> {
    const { db, exports } = this.#deps;
    const order = () => downloadsExport(db, caller.accountId, productId ?? null, caller.timeZone);
    return exports.open(caller.accountId, order, signal);
  }

  /** The files that a developer's resellers took. */
  async ofDeveloper(caller: Principal, query: ListQuery): Promise<Page<StockDownload>> {
    return this.#list({ resellerId: null, developerId: caller.accountId }, query);
  }

  async #list(whose: Pick<DownloadFilter, 'resellerId' | 'developerId'>, query: ListQuery) {
    const filter = {
      ...whose,
      partnershipId: query.reseller_id ?? null,
      productId: query.product_id ?? null,
      batchId: query.batch_id ?? null,
    };
    return pageOf(
      await listDownloads(this.#deps.db, filter, decodeIdCursor(query.cursor), query.limit + 1),
      query.limit,
    );
  }
}
