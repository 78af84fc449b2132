import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { BY_INDEX } from '#platform/db/statements/by-index.ts';
import { notFound } from '#platform/errors.ts';
import { decodeNameCursor, type Page, pageOf } from '#platform/http/answers/cursor.ts';
import type { SerialsDb } from '../tables.ts';
import {
  hasPartnership,
  partnershipWith,
  type ResellerStockRow,
  resellerStock,
  type StockPage,
} from './reseller-stock.queries.ts';

interface Dependencies {
  db: SerialsDb;
  clock: Clock;
}

interface PageQuery {
  limit: number;
  cursor?: string | undefined;
}

type Products = Page<ResellerStockRow> & { total: number };

/** A reseller's serials of each product, by state, for either side: products by name. */
export class ResellerStock {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** A reseller's stock, for the developer. @throws {AppError} not_found, also for another developer's reseller. */
  async ofReseller({ accountId: developerId }: Principal, partnershipId: string, query: PageQuery): Promise<Products> {
    if (!(await hasPartnership(this.#deps.db, developerId, partnershipId))) throw notFound('Reseller');
    return this.#page({ reader: 'developer', developerId, partnershipId }, query);
  }

  /** The reseller's own stock. Empty while the partnership is paused. @throws {AppError} not_found */
  async ofDeveloper({ accountId: resellerId }: Principal, developerId: string, query: PageQuery): Promise<Products> {
    const own = await partnershipWith(this.#deps.db, developerId, resellerId);
    if (!own) throw notFound('Developer');
    if (own.status === 'paused') return { rows: [], total: 0, next_cursor: null };
    return this.#page({ reader: 'reseller', developerId, partnershipId: own.id }, query);
  }

  async #page(
    of: Pick<StockPage, 'reader' | 'developerId' | 'partnershipId'>,
    { limit, cursor }: PageQuery,
  ): Promise<Products> {
    const { db, clock } = this.#deps;
    const after = decodeNameCursor(cursor);
    const { rows, total } = await db.work({ tx: true, settings: BY_INDEX }, (sql) =>
      resellerStock(sql, { ...of, now: clock.now(), after, limit: limit + 1 }),
    );
    const page = pageOf(
      rows.map((row) => ({ ...row, id: row.product_id })),
      limit,
      (last) => [last.sort_key, last.id],
    );
    return { ...page, rows: page.rows.map(({ sort_key, id, ...row }) => row), total };
  }
}
