import type { Readable } from 'node:stream';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { BY_INDEX } from '#platform/db/statements/by-index.ts';
import { byKind, countedTogether } from '#platform/db/statements/choices.ts';
import { decodeCursor, isText, pageOf } from '#platform/http/answers/cursor.ts';
import { isId } from '#platform/ids.ts';
import { toDollars } from '#platform/money.ts';
import type { Exports } from '#platform/spool/exports.ts';
import { dayOf } from '#platform/time/days.ts';
import { figuresOf, listProducts, type ProductFilter, productChoiceCounts, productsExport } from './list.queries.ts';
import type { ListedProduct } from './list.schemas.ts';
import { firstOfThirty } from './overview/overview.queries.ts';
import { stockPace } from './overview/stock-pace.ts';
import { type ProductChoices, type ProductSort, productKinds, type StockSql } from './product-filter.ts';
import type { ProductView } from './products.schemas.ts';
import type { Products } from './products.service.ts';
import type { ProductsDb } from './tables.ts';

interface Dependencies {
  db: ProductsDb;
  clock: Clock;
  exports: Exports;
  products: Products;
  stockSql: StockSql;
}

interface ListQuery extends ProductChoices {
  search?: string | undefined;
}
interface PageQuery extends ListQuery {
  sort: ProductSort;
  figures: boolean;
  limit: number;
  cursor?: string | undefined;
  count: boolean;
}

/** The products of a developer, as lists want them. */
export class ProductLists {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async page(caller: Principal, query: PageQuery) {
    const { db, products, stockSql } = this.#deps;
    const { sort, limit, count } = query;
    // a cursor leads on in the order that it came from
    const [, key, id] = decodeCursor(query.cursor, [(from) => from === sort, isText, isId]) ?? [];
    const after = id === undefined || key === undefined ? null : { key, id };
    const filter = this.#filter(caller, query);
    const { rows, total } = await listProducts(db, filter, stockSql, sort, after, limit + 1, count);
    const page = pageOf(rows, limit, (last) => [sort, last.sort_key, last.id]);
    const bare = page.rows.map(({ sort_key: _, ...row }) => row);
    const counted = await db.work({ tx: true, settings: BY_INDEX }, (sql) =>
      products.counted(sql, caller.accountId, bare),
    );
    return { ...page, rows: query.figures ? await this.#withFigures(caller, counted) : counted, total };
  }

  /** The choices of the list's filters, with counts. */
  async choices(caller: Principal, query: ListQuery) {
    const { db, stockSql } = this.#deps;
    return db.work({ tx: true, settings: BY_INDEX }, async (sql) => {
      const found = [];
      for (const { kinds, query: each } of countedTogether(productKinds, query))
        found.push(...(await productChoiceCounts(sql, kinds, this.#filter(caller, each), stockSql)));
      return byKind(productKinds, found);
    });
  }

  csv(caller: Principal, query: ListQuery & { sort: ProductSort }, signal: AbortSignal): Promise<Readable> {
    const order = productsExport(this.#filter(caller, query), this.#deps.stockSql, query.sort, caller.timeZone);
    return this.#deps.exports.open(caller.accountId, order, signal);
  }

  async #withFigures(caller: Principal, products: ProductView[]): Promise<ListedProduct[]> {
    const { db, clock, stockSql } = this.#deps;
    const since = firstOfThirty(dayOf(clock.now(), caller.timeZone));
    const ids = products.map(({ id }) => id);
    const scope = { developerId: caller.accountId, now: clock.now() };
    const found = await figuresOf(db, scope, ids, stockSql, since);
    // one that was deleted between the two looks has no figures
    return products.map((product) => {
      const figures = found.get(product.id);
      if (!figures) return product;
      const { revenue_cents, recent, ...rest } = figures;
      const { days_left } = stockPace(product.serials_available, recent);
      return { ...product, figures: { ...rest, revenue: toDollars(revenue_cents), days_left } };
    });
  }

  #filter(caller: Principal, { search, status, stock, files, price }: ListQuery): ProductFilter {
    return {
      developerId: caller.accountId,
      search: search || undefined,
      now: this.#deps.clock.now(),
      status,
      stock,
      files,
      price,
    };
  }
}
