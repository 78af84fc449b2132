import type { Readable } from 'node:stream';
import type { Principal } from '#platform/access/access.ts';
import { mayRead } from '#platform/access/kinds.ts';
import type { Clock } from '#platform/clock.ts';
import { notFound } from '#platform/errors.ts';
import { decodeCursor, decodeIdCursor, isMoment, isText, pageOf, uncounted } from '#platform/http/answers/cursor.ts';
import { isId } from '#platform/ids.ts';
import type { Exports } from '#platform/spool/exports.ts';
import type { DealsDb } from '../tables.ts';
import { dealOf, listCatalog, listDeals, type Place, productOf } from './catalog.queries.ts';
import type { ResellerProductDetail, Sort, Which } from './catalog.schemas.ts';
import * as q from './product-detail.queries.ts';

interface Dependencies {
  db: DealsDb;
  clock: Clock;
  exports: Exports;
}

interface ListQuery {
  developer_id?: string | undefined;
  search?: string | undefined;
  sort: Sort;
  limit: number;
  cursor?: string | undefined;
  count: boolean;
}

interface SerialsQuery extends Which {
  search?: string | undefined;
}

interface Page {
  limit: number;
  cursor?: string | undefined;
  count: boolean;
}

const SHOWN = 100;
/** A reseller's catalog: products and deals of the developers they work with, and the serials they were given. */
export class Catalog {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async products(caller: Principal, query: ListQuery) {
    const filter = this.#filter(caller, query);
    const found = await listCatalog(this.#deps.db, filter, placeOf(query), query.limit + 1, query.count);
    const { rows, next_cursor } = page(
      found.rows.map((row) => ({ ...row, id: row.product_id })),
      query,
    );
    return { rows: rows.map(productOf), total: found.total ?? rows.length, next_cursor };
  }

  async deals(caller: Principal, query: ListQuery & { state?: 'current' | 'expired' | undefined }) {
    const filter = { ...this.#filter(caller, query), state: query.state };
    const found = await listDeals(this.#deps.db, filter, placeOf(query), query.limit + 1, query.count);
    const { rows, next_cursor } = page(found.rows, query);
    return { rows: rows.map(dealOf), total: found.total ?? rows.length, next_cursor };
  }

  /**
   * A product with the serials of it that the reseller was given.
   * @throws {AppError} not_found for a draft, for products of developers the reseller doesn't work with, and for a deal
   * that isn't the product's.
   */
  async product(caller: Principal, id: string, query: SerialsQuery): Promise<ResellerProductDetail> {
    const { db } = this.#deps;
    const product = await this.#find(caller, id);
    const filter = await this.#given(caller, product, query);
    const all = { ...filter, batchIds: await q.findGiven(db, product, {}, caller.timeZone), search: undefined };
    const [given, counts, available, redeemed, bytes, deal] = await Promise.all([
      q.countGiven(db, all),
      // a list without filters is counted once
      query.search || filter.batchIds.length < all.batchIds.length ? this.#counts(filter) : null,
      q.listAvailable(db, filter, null, SHOWN),
      q.listRedeemed(db, filter, null, SHOWN),
      q.findDownloadBytes(db, product),
      query.deal ? this.#deal(caller, filter) : null,
    ]);
    const { short_desc, long_desc, feature_list } = product;
    const shown = counts ?? given;
    return {
      product: {
        ...productOf({ ...product, ...given, sort_key: '' }),
        short_desc,
        long_desc,
        feature_list,
        file_size_gb: bytes === null ? null : Math.round(bytes / 1e6) / 1000,
        is_draft: false,
      },
      deal,
      serials: {
        available,
        redeemed,
        counts: {
          available: q.cappedTotal(shown.available, filter),
          redeemed: q.cappedTotal(shown.redeemed, filter),
        },
      },
    };
  }

  async available(caller: Principal, id: string, query: SerialsQuery & Page) {
    const { db } = this.#deps;
    const filter = await this.#given(caller, await this.#find(caller, id), query);
    const after = decodeIdCursor(query.cursor);
    const rows = await q.listAvailable(db, filter, after, query.limit + 1);
    const paged = pageOf(rows, query.limit);
    if (!query.count) return { ...paged, ...uncounted(paged) };
    const total = filter.search ? await q.countFoundAvailable(db, filter) : (await q.countGiven(db, filter)).available;
    return { ...paged, ...totals(total, filter) };
  }

  async redeemed(caller: Principal, id: string, query: SerialsQuery & Page) {
    const { db } = this.#deps;
    const filter = await this.#given(caller, await this.#find(caller, id), query);
    const rows = await q.listRedeemed(db, filter, redeemedPlaceOf(query.cursor), query.limit + 1);
    const paged = pageOf(rows, query.limit, (last) => [last.redeemed_at.toISOString(), last.id]);
    if (!query.count) return { ...paged, ...uncounted(paged) };
    const total = filter.search ? await q.countFoundRedeemed(db, filter) : (await q.countGiven(db, filter)).redeemed;
    return { ...paged, ...totals(total, filter) };
  }

  async redeemedCsv(caller: Principal, id: string, query: SerialsQuery, signal: AbortSignal): Promise<Readable> {
    const { db, exports } = this.#deps;
    const filter = async () => this.#given(caller, await this.#find(caller, id), query);
    await filter();
    // again, because the partnership may have been paused or ended while the export waited for its turn
    return exports.open(caller.accountId, async () => q.redeemedExport(db, await filter(), caller.timeZone), signal);
  }

  #filter(caller: Principal, { developer_id, search, sort }: ListQuery) {
    const now = this.#deps.clock.now();
    return { resellerId: caller.accountId, developerId: developer_id, search: search || undefined, sort, now };
  }

  async #find(caller: Principal, id: string): Promise<q.SharedProduct> {
    const product = await q.findSharedProduct(this.#deps.db, caller.accountId, id);
    if (!product) throw notFound('Product');
    return product;
  }

  async #given(caller: Principal, product: q.SharedProduct, query: SerialsQuery): Promise<q.GivenFilter> {
    const batchIds = await q.findGiven(this.#deps.db, product, query, caller.timeZone);
    if (query.deal && batchIds.length === 0) throw notFound('Deal');
    return {
      developerId: product.developer_id,
      partnershipId: product.partnership_id,
      productId: product.product_id,
      batchIds,
      people: mayRead(caller, 'people'),
      search: query.search || undefined,
      now: this.#deps.clock.now(),
    };
  }

  async #deal(caller: Principal, { developerId, batchIds, now }: q.GivenFilter) {
    const of = {
      resellerId: caller.accountId,
      developerId,
      search: undefined,
      sort: 'recent',
      state: undefined,
    } as const;
    const { rows } = await listDeals(this.#deps.db, { ...of, now, batchIds }, null, 1, false);
    return rows[0] ? dealOf(rows[0]) : null;
  }

  async #counts(filter: q.GivenFilter) {
    const { db } = this.#deps;
    if (!filter.search) return q.countGiven(db, filter);
    const [available, redeemed] = await Promise.all([
      q.countFoundAvailable(db, filter),
      q.countFoundRedeemed(db, filter),
    ]);
    return { available, redeemed };
  }
}

function totals(total: number, filter: q.GivenFilter) {
  return { total: q.cappedTotal(total, filter), total_exact: q.isExact(total, filter) };
}

/** The cursor holds the sort too: a place in one order means nothing in another. */
function page<Row extends { id: string; sort_key: string }>(rows: Row[], { limit, sort }: ListQuery) {
  return pageOf(rows, limit, (last) => [sort, last.sort_key, last.id]);
}

function placeOf({ cursor, sort }: ListQuery): Place | null {
  const isKey = (text: string) => (sort === 'popular' ? /^\d{1,9}$/.test(text) : isText(text));
  const [, key, id] = decodeCursor(cursor, [(order) => order === sort, isKey, isId]) ?? [];
  return key === undefined || id === undefined ? null : { key, id };
}

function redeemedPlaceOf(cursor: string | undefined): q.RedeemedPlace | null {
  const [at, id] = decodeCursor(cursor, [isMoment, isId]) ?? [];
  return at === undefined || id === undefined ? null : { redeemedAt: new Date(at), id };
}
