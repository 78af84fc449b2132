import { notFound } from '#platform/errors.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import { toDollars } from '#platform/money.ts';
import { decimalOf } from '../money.ts';
import type { ShopsDb } from '../tables.ts';
import * as lists from './order-lists.queries.ts';
import * as q from './order-rows.queries.ts';
import type { Order, OrderRow, OrdersQuery } from './orders.schemas.ts';
import { reasonTexts } from './states.ts';

interface Dependencies {
  db: ShopsDb;
}

/** The orders of an account's shops, and what was made of them. */
export class Orders {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Newest first. */
  async list(accountId: string, query: OrdersQuery) {
    const place = { after: decodeIdCursor(query.cursor), limit: query.limit + 1 };
    const rows = await lists.listOrders(this.#deps.db, accountId, query, place);
    const page = pageOf(rows, query.limit);
    return { rows: page.rows.map(rowOf), next_cursor: page.next_cursor };
  }

  /** The same of one shop. @throws {AppError} not_found */
  async listOf(accountId: string, shopId: string, query: OrdersQuery) {
    // those of one that was deleted are listed, too
    const shop = await this.#deps.db
      .selectFrom('shop_connections')
      .select('id')
      .where('developer_id', '=', accountId)
      .where('id', '=', shopId)
      .executeTakeFirst();
    if (!shop) throw notFound('Shop');
    return this.list(accountId, { ...query, shop_id: shopId });
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
      lines: lines.map((line) => lineOf(line, units)),
      reversals: reversals.map(({ id, key, kind, state, is_whole, lines, amount, happened_at }) => {
        return { id, key, kind, state, whole: is_whole, lines, amount, happened_at };
      }),
      deliveries,
    };
  }
}

function rowOf(row: lists.ListedOrder): OrderRow {
  const { is_test, net_minor, usd_cents, version_at, note: _, ...rest } = row;
  return {
    ...rest,
    reasons: row.reasons.map((reason) => ({ reason, text: reasonTexts[reason] })),
    test: is_test,
    paid: row.currency === null ? null : decimalOf(net_minor, row.currency),
    paid_usd: version_at === null ? null : toDollars(usd_cents),
  };
}

function lineOf(line: q.LineRow, units: readonly q.UnitRow[]): Order['lines'][number] {
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
    units: own.map(({ id, product_id, state, code, serial_id, usd_cents: paid, cut_cents, refunded_cents }) => {
      const back = toDollars(cut_cents + refunded_cents);
      return { id, product_id, state, code, serial_id, paid_usd: toDollars(paid), refunded_usd: back };
    }),
  };
}
