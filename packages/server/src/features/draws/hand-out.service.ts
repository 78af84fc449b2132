import {
  type HandedOut,
  type LowSerialsEvent,
  MOST_AT_ONCE,
  noteLowStock,
  noteResellerLowStock,
  type OnLowStock,
} from '#features/serials';
import type { Clock } from '#platform/clock.ts';
import { isDatabaseAway } from '#platform/db/away.ts';
import type { Sql } from '#platform/db/database.ts';
import { sqlState } from '#platform/errors.ts';
import type { Publisher } from '#platform/events.ts';
import { InTurns } from '#platform/limits/in-turns.ts';
import { type DrawOrder, type DrawRow, handOut, handOutAlone, type Places } from './draw.queries.ts';
import type { Drawn, StockEvent } from './draws.schemas.ts';
import { RecentPlaces } from './recent-places.ts';
import { publishStock } from './stock-event.ts';
import { type DrawsDb, type DrawsHandle, tables } from './tables.ts';

interface Dependencies {
  db: DrawsDb;
  clock: Clock;
  events: Publisher<LowSerialsEvent | StockEvent>;
  onLowStock: OnLowStock;
}

/** The draw; or how many are left, which is also the outcome of a reference that is taken. */
export type Outcome = { drawn: Drawn } | { left: number };

/** Records more about a draw, in the transaction that hands its codes out. */
export type Also = (tx: DrawsHandle, drawn: Drawn) => Promise<void>;

/** The most that one turn hands out. */
const MOST = { orders: 50, codes: MOST_AT_ONCE };

/** Not all that were claimed could be locked; thrown so that the transaction takes none. */
class Short extends Error {
  readonly picked: number;

  constructor(picked: number) {
    super('fewer serials than claimed');
    this.picked = picked;
  }
}

/** The part of the answer that is about the pool. @throws {Short} and then nothing of the transaction may stay. */
function headOf(rows: readonly HandedOut[]): HandedOut {
  const [head] = rows as [HandedOut];
  if (head.picked < head.wanted) throw new Short(head.picked);
  return head;
}

/** Others took serials at the same moment: the transaction is repeated as a whole, as after any such collision. */
class Raced extends Error {
  readonly code = '40001';
}

/** SQL states after which a transaction is repeated. */
const UNDONE = new Set(['40001', '40P01']);

const poolOf = (partnershipId: string, productId: string) => `${partnershipId} ${productId}`;
const codesOf = (orders: readonly DrawOrder[]) => orders.reduce((sum, { quantity }) => sum + quantity, 0);

/**
 * Takes serials out of stock for draws. Draws of a shop from one pool that arrive together share a transaction: a burst
 * of sales waits for few disk writes, and takes one connection.
 */
export class HandOuts {
  readonly #deps: Dependencies;
  readonly #turns: InTurns<DrawOrder, Outcome>;
  readonly #places: RecentPlaces;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#places = new RecentPlaces(deps.clock);
    this.#turns = new InTurns(
      (orders) => this.#turn(orders),
      (orders) => orders.length <= MOST.orders && codesOf(orders) <= MOST.codes,
    );
  }

  run(order: DrawOrder): Promise<Outcome> {
    const { resellerId, pool, productId, batchTag } = order;
    return this.#turns.take(JSON.stringify([resellerId, pool.partnership_id, productId, batchTag]), order);
  }

  async #turn(orders: DrawOrder[]): Promise<Outcome[]> {
    const [{ pool }] = orders as [DrawOrder];
    if (pool.low_stock_threshold === null) {
      const now = this.#deps.clock.now();
      const rows = await this.#quick(orders, now);
      const { wanted = 0, open = 0 } = rows?.[0] ?? {};
      if (rows && wanted > 0) return outcomesOf(orders, rows, now);
      if (rows && open < codesOf(orders)) return this.#share(orders, open);
    }
    try {
      const { outcomes, open } = await this.#attempt(orders, 'skip');
      return outcomes ?? (await this.#share(orders, open));
    } catch (error) {
      if (!(error instanceof Short)) throw error;
    }
    // others hold serials that they may or may not take: each for itself, and it waits
    return Promise.all(orders.map((order) => this.#alone(order)));
  }

  /**
   * Hands out in one statement, from where the last one ended. It tries from the beginning before it answers that too
   * little is left.
   */
  async #quick(orders: readonly DrawOrder[], now: Date): Promise<HandedOut[] | undefined> {
    const [{ pool, productId }] = orders as [DrawOrder];
    const key = poolOf(pool.partnership_id, productId);
    const places = this.#places.of(key);
    let rows = await this.#once(orders, now, places);
    if (places.size > 0 && rows?.[0]?.wanted === 0) {
      this.#places.forget(key);
      rows = await this.#once(orders, now, this.#places.of(key));
    }
    if (rows) this.#places.note(key, rows);
    return rows;
  }

  /**
   * Undefined where {@link #attempt} has to decide: others hold serials, or the connection was lost, and then the reference shows
   * whether something was handed out.
   */
  async #once(orders: readonly DrawOrder[], now: Date, places: Places): Promise<HandedOut[] | undefined> {
    try {
      return await this.#deps.db.work({ tx: true }, async (tx) => {
        const rows = await handOutAlone(tx, orders, now, places);
        const { wanted } = headOf(rows);
        if (wanted > 0) await this.#publish(tx, orders, wanted);
        return rows;
      });
    } catch (error) {
      if (error instanceof Short || UNDONE.has(sqlState(error) ?? '') || isDatabaseAway(error)) return undefined;
      throw error;
    }
  }

  #publish(tx: DrawsHandle, orders: readonly DrawOrder[], codes: number): Promise<void> {
    const [{ pool, productId, resellerId }] = orders as [DrawOrder];
    const { developer_id: developerId, partnership_id: partnershipId } = pool;
    const moved = { developerId, partnershipId, resellerId, productId, codes };
    return publishStock(this.#deps.events, tx, { ...moved, change: 'handed_out' });
  }

  /** Codes are in stock again. */
  returned(partnershipId: string, productId: string): void {
    this.#places.forget(poolOf(partnershipId, productId));
  }

  /** Too little is open for all: what fits, as if they had come one after the other, and then the rest. */
  async #share(orders: readonly DrawOrder[], open: number): Promise<Outcome[]> {
    const fitting = new Set<DrawOrder>();
    let left = open;
    for (const order of orders) {
      if (order.quantity > left) continue;
      left -= order.quantity;
      fitting.add(order);
    }
    if (fitting.size === 0) return orders.map(() => ({ left: open }));
    const outcomes = new Map<DrawOrder, Outcome>();
    for (const part of [[...fitting], orders.filter((order) => !fitting.has(order))])
      for (const [n, outcome] of (await this.#turn(part)).entries()) outcomes.set(part[n] as DrawOrder, outcome);
    return orders.map((order) => outcomes.get(order) as Outcome);
  }

  /** One order by itself, past the serials that others hold unless no others are left, with what belongs to it: both, or neither. */
  async runWith(order: DrawOrder, also: Also): Promise<Outcome> {
    try {
      const { outcomes, open } = await this.#attempt([order], 'skip', also);
      return outcomes?.[0] ?? { left: open };
    } catch (error) {
      if (!(error instanceof Short)) throw error;
    }
    return this.#alone(order, also);
  }

  /**
   * Orders of one pool for one code each, in the caller's transaction: as many as there are codes, the first of them first. A reference that
   * is taken gets none.
   */
  async within(handle: Sql, orders: readonly DrawOrder[]): Promise<Outcome[]> {
    const tx = tables.in(handle);
    const outcomes: Outcome[] = [];
    for (let at = 0; at < orders.length; at += MOST.orders) {
      const some = orders.slice(at, at + MOST.orders);
      const found = await this.#within(tx, some);
      outcomes.push(...found);
      if (found.some((outcome) => !('drawn' in outcome)))
        return [...outcomes, ...orders.slice(at + some.length).map(() => ({ left: 0 }))];
    }
    return outcomes;
  }

  async #within(tx: DrawsHandle, orders: readonly DrawOrder[]): Promise<Outcome[]> {
    try {
      const whole = await this.#take(tx, orders, 'wait');
      if (whole.outcomes) return whole.outcomes;
      const fitting = orders.slice(0, whole.open);
      const part = fitting.length === 0 ? { outcomes: [] } : await this.#take(tx, fitting, 'wait');
      const drawn = part.outcomes ?? [];
      return orders.map((_, at) => drawn[at] ?? { left: 0 });
    } catch (error) {
      throw error instanceof Short ? new Raced('others took serials') : error;
    }
  }

  async #alone(order: DrawOrder, also?: Also): Promise<Outcome> {
    try {
      const { outcomes, open } = await this.#attempt([order], 'wait', also);
      return outcomes?.[0] ?? { left: open };
    } catch (error) {
      if (!(error instanceof Short)) throw error;
      return { left: error.picked };
    }
  }

  /** @returns what is open, counted no further than asked for, and no outcomes when that is too little for all of them. */
  #attempt(
    orders: readonly DrawOrder[],
    locked: 'skip' | 'wait',
    also?: Also,
  ): Promise<{ outcomes?: Outcome[]; open: number }> {
    return this.#deps.db.work({ tx: true, named: true }, async (tx) => {
      const taken = await this.#take(tx, orders, locked);
      for (const outcome of taken.outcomes ?? []) if (also && 'drawn' in outcome) await also(tx, outcome.drawn);
      return taken;
    });
  }

  /** The same in a transaction. @throws {Short} and then nothing of it may stay. */
  async #take(
    tx: DrawsHandle,
    orders: readonly DrawOrder[],
    locked: 'skip' | 'wait',
  ): Promise<{ outcomes?: Outcome[]; open: number }> {
    const now = this.#deps.clock.now();
    const rows = await handOut(tx, orders, now, locked);
    const { open, plenty, wanted, low_stock_threshold: threshold } = headOf(rows);
    if (wanted === 0) return open < codesOf(orders) ? { open } : { open, outcomes: orders.map(() => ({ left: open })) };
    const [{ pool, productId }] = orders as [DrawOrder];
    const { developer_id: developerId, partnership_id: partnershipId } = pool;
    await this.#publish(tx, orders, wanted);
    if (!plenty) await noteLowStock(this.#deps, tx, developerId, productId);
    if (threshold !== null) await noteResellerLowStock(this.#deps, tx, { developerId, partnershipId, productId });
    return { open, outcomes: outcomesOf(orders, rows, now) };
  }
}

function outcomesOf(orders: readonly DrawOrder[], rows: readonly HandedOut[], now: Date): Outcome[] {
  const open = rows[0]?.open ?? 0;
  return orders.map(({ id, reference, quantity, batchTag, productId, pool }) => {
    const serials = rows
      .filter(({ draw_id }) => draw_id === id)
      .map(({ code, expires_at }) => ({ code: code as string, expires_at, returned_at: null }));
    if (serials.length === 0) return { left: open };
    const draw = {
      id,
      reference,
      quantity,
      batch_tag: batchTag,
      developer_id: pool.developer_id,
      product_id: productId,
    };
    return { drawn: drawnOf({ ...draw, created_at: now }, serials) };
  });
}

export function drawnOf(draw: DrawRow, serials: Drawn['serials']): Drawn {
  const { id, reference, developer_id, product_id, batch_tag, quantity, created_at } = draw;
  const codes = serials.map(({ code }) => code);
  return { id, reference, developer_id, product_id, batch_tag, quantity, created_at, codes, serials };
}
