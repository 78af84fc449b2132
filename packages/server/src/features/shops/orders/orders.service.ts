import type { Readable } from 'node:stream';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Principal } from '#platform/access/access.ts';
import { mayRead } from '#platform/access/kinds.ts';
import type { Clock } from '#platform/clock.ts';
import { type BuiltChoice, byKind, chosen, countedTogether, fits } from '#platform/db/statements/choices.ts';
import { countedTo } from '#platform/db/statements/count-limit.ts';
import { notFound } from '#platform/errors.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import { toDollars } from '#platform/money.ts';
import type { Exports } from '#platform/spool/exports.ts';
import { periodOf } from '#platform/time/days.ts';
import { orderBook } from '../book/book.queries.ts';
import { findProductNames } from '../items/product-names.ts';
import { decimalOf } from '../money.ts';
import type { ShopsDb } from '../tables.ts';
import { drawReference } from './drawing.ts';
import * as lists from './order-lists.queries.ts';
import * as q from './order-rows.queries.ts';
import { type Order, type OrderChoicesQuery, type OrderRow, type OrdersQuery, orderKinds } from './orders.schemas.ts';
import { orderStates, reasonTexts } from './states.ts';

interface Dependencies {
  db: ShopsDb;
  clock: Clock;
  exports: Exports;
}

/** The values of order `o` that filters choose by. */
const columns = {
  state: { value: sql<string>`o.state`, type: 'text', fits: fits.oneOf(orderStates) },
  shop: { value: sql<string>`o.connection_id`, type: 'uuid', fits: fits.id },
} as const satisfies Record<string, BuiltChoice>;

/** The orders of an account's shops, and what was made of them. */
export class Orders {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Newest first. */
  async list(caller: Principal, query: OrdersQuery) {
    const { db } = this.#deps;
    const filter = this.#filterOf(caller, query);
    const place = { after: decodeIdCursor(query.cursor), limit: query.limit + 1 };
    const rows = await lists.listOrders(db, filter, place);
    const page = pageOf(rows, query.limit);
    const total = query.count
      ? countedTo(await lists.countOrders(db, filter))
      : { total: page.rows.length, total_exact: false };
    return { rows: page.rows.map(rowOf), ...total, next_cursor: page.next_cursor };
  }

  /** The choices of the filters for orders, with counts. */
  async choices(caller: Principal, query: OrderChoicesQuery) {
    const found = [];
    for (const { kinds, query: rest } of countedTogether(orderKinds, query))
      found.push(...(await lists.orderChoiceCounts(this.#deps.db, kinds, this.#filterOf(caller, rest))));
    return byKind(orderKinds, found);
  }

  /** The order book: a line for each line of all orders that match, with its money and its serials. */
  book(caller: Principal, query: OrderChoicesQuery, signal: AbortSignal): Promise<Readable> {
    const { exports } = this.#deps;
    const filter = this.#filterOf(caller, query);
    const shows = { people: mayRead(caller, 'people'), codes: mayRead(caller, 'codes') };
    return exports.open(caller.accountId, orderBook(filter, shows, caller.timeZone), signal);
  }

  #filterOf(caller: Principal, query: OrderChoicesQuery): lists.OrderFilter {
    const { from, to } = periodOf(query.dateRange, caller.timeZone, this.#deps.clock);
    const days: Expression<SqlBool>[] = [
      ...(from ? [sql<boolean>`o.received_at >= ${from}`] : []),
      ...(to ? [sql<boolean>`o.received_at <= ${to}`] : []),
    ];
    return {
      accountId: caller.accountId,
      search: query.search || undefined,
      shopId: query.shop_id,
      serialId: query.serial,
      chosen: [...orderKinds.flatMap((kind) => chosen(kind, query[kind], columns[kind])), ...days],
    };
  }

  /** The same of one shop. @throws {AppError} not_found */
  async listOf(caller: Principal, shopId: string, query: Omit<OrdersQuery, 'shop' | 'shop_id'>) {
    // those of one that was deleted are listed, too
    const shop = await this.#deps.db
      .selectFrom('shop_connections')
      .select('id')
      .where('developer_id', '=', caller.accountId)
      .where('id', '=', shopId)
      .executeTakeFirst();
    if (!shop) throw notFound('Shop');
    return this.list(caller, { ...query, shop_id: shopId });
  }

  /** @throws {AppError} not_found */
  async get(accountId: string, id: string): Promise<Order> {
    const { db } = this.#deps;
    const found = await lists.findOrder(db, accountId, id);
    if (!found) throw notFound('Order');
    const key = { developer_id: accountId, id };
    const [lines, units, reversals, deliveries] = await Promise.all([
      q.findLines(db, key),
      q.findUnits(db, key),
      q.findReversals(db, key),
      lists.findDeliveries(db, accountId, found),
    ]);
    return {
      ...rowOf(found),
      note: found.note,
      pickup_code: found.email === null ? found.pickup_code : null,
      duplicate_of: found.duplicate_of === null ? null : await lists.findTwin(db, accountId, found.duplicate_of),
      found_at: found.found_at,
      lines: lines.map((line) => lineOf(found, line, units)),
      reversals: reversals.map(({ id, key, kind, state, is_whole, lines, amount, happened_at, found_at }) => {
        return { id, key, kind, state, whole: is_whole, lines, amount, happened_at, found_at };
      }),
      products: await findProductNames(
        db,
        accountId,
        units.map(({ product_id }) => product_id),
      ),
      deliveries,
    };
  }
}

function rowOf(row: lists.ListedOrder): OrderRow {
  const { is_test, net_minor, usd_cents, version_at, ...others } = row;
  const { note: _, pickup_code: _p, duplicate_of: _d, found_at: _f, ...rest } = others;
  return {
    ...rest,
    reasons: row.reasons.map((reason) => ({ reason, text: reasonTexts[reason] })),
    test: is_test,
    paid: row.currency === null ? null : decimalOf(net_minor, row.currency),
    paid_usd: version_at === null ? null : toDollars(usd_cents),
  };
}

function lineOf(order: lists.ListedOrder, line: q.LineRow, units: readonly q.UnitRow[]): Order['lines'][number] {
  const { external_id, sku, name, keys, quantity, paid_quantity, currency, net_minor, usd_cents } = line;
  const own = units.filter(({ line_id }) => line_id === line.id);
  return {
    id: external_id,
    sku,
    name,
    keys,
    quantity,
    paid_quantity,
    currency,
    paid: decimalOf(net_minor, currency),
    paid_usd: toDollars(usd_cents),
    rate: line.rate,
    rate_source: line.rate_source,
    product_ids: line.product_ids,
    units: own.map(
      ({ id, n, product_id, state, code, serial_id, draw_id, usd_cents: paid, cut_cents, refunded_cents }) => {
        const back = toDollars(cut_cents + refunded_cents);
        const draw = draw_id === null ? null : drawReference(order.shop_id, order.external_id, line.external_id, n);
        return { id, product_id, state, code, serial_id, draw, paid_usd: toDollars(paid), refunded_usd: back };
      },
    ),
  };
}
