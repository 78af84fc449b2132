import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sql } from 'kysely';
import { type Clock, SECOND } from '#platform/clock.ts';
import { isCutShort, isDatabaseAway } from '#platform/db/away.ts';
import { AppError } from '#platform/errors.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { InTurns } from '#platform/limits/in-turns.ts';
import type { Random } from '#platform/random.ts';
import type { ShopKind, ShopState } from '../connections/connections.schemas.ts';
import { notifyShopOwner, type ShopEmailDependencies } from '../connections/shop-emails.ts';
import { isOfApi, isOfNotes } from '../connections/trouble.ts';
import type { Part } from '../connectors/port.ts';
import { type OrderWork, orderJob } from '../queue/order-job.ts';
import type { ShopsDb, ShopsHandle } from '../tables.ts';
import { Bursts } from './bursts.ts';

/** How exactly the last delivery, and the last that was refused, are known: a burst of them must not wait for one row. */
const NOTED_EVERY = 10 * SECOND;
export const isOld = (at: Date | null, now: Date) => at === null || now.getTime() - at.getTime() > NOTED_EVERY;

/** The most that one transaction keeps. A larger delivery has one of its own. */
const TURN = { deliveries: 50, parts: 200, bytes: 4 * 1024 * 1024 };
/** The most deliveries of one shop that wait for their turn in this process: more are refused, and sent again. */
const MOST_WAITING = { deliveries: 1000, bytes: 32 * 1024 * 1024 };
/** Rows of one statement, which has only so many parameters. */
const ROWS = 500;

/** Headers that show what a delivery is, and whose it is. */
const KEPT_HEADERS = /^(content-type|user-agent|webhook-(id|timestamp)|x-(shopify|wc|fs|event)-[a-z-]+)$/;
/** Headers that must not be kept: their reader could sign with them or pretend to be the shop. */
const SIGNATURES = /hmac|signature/;
const LONGEST_HEADER = 300;

/** A shop as it was when a delivery came. */
interface DeliveringShop {
  id: string;
  developer_id: string;
  kind: ShopKind;
  name: string;
  state: ShopState;
  trouble: string | null;
  last_event_at: Date | null;
}

/** A verified delivery of a shop. */
interface Delivery {
  shop: DeliveringShop;
  headers: IncomingHttpHeaders;
  bytes: number;
  parts: readonly Part[];
}

interface QueuedWork {
  work: OrderWork;
  /** Seconds. */
  delay: number;
}

interface Dependencies extends ShopEmailDependencies {
  db: ShopsDb;
  clock: Clock;
  random: Random;
  jobs: Jobs;
}

/**
 * Keeps what came, and queues the work on its orders. A shop has one transaction at a time: what arrives while it runs goes into the next one
 * together. Nothing waits for more to come.
 */
export class Keeping {
  readonly #deps: Dependencies;
  readonly #turns: InTurns<Delivery, { failed?: unknown }>;
  readonly #bursts = new Bursts();
  readonly #waiting = new Map<string, { deliveries: number; bytes: number }>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#turns = new InTurns((deliveries) => this.#turn(deliveries), fitsTurn);
  }

  /**
   * Resolves once it is kept for good.
   * @throws {AppError} unavailable when too much of this shop waits.
   */
  async keep(delivery: Delivery): Promise<void> {
    const key = delivery.shop.id;
    const waiting = this.#waiting.get(key) ?? { deliveries: 0, bytes: 0 };
    if (waiting.deliveries >= MOST_WAITING.deliveries || waiting.bytes >= MOST_WAITING.bytes)
      throw new AppError('unavailable', 'Too much of this shop comes at once.', { retryAfter: 5 });
    this.#waiting.set(key, waiting);
    waiting.deliveries += 1;
    waiting.bytes += delivery.bytes;
    try {
      const outcome = await this.#turns.take(key, delivery);
      if ('failed' in outcome) throw outcome.failed;
    } finally {
      waiting.deliveries -= 1;
      waiting.bytes -= delivery.bytes;
      if (waiting.deliveries === 0) this.#waiting.delete(key);
    }
  }

  /** All of them at once. If that fails, each alone, so that one that cannot be kept takes no other with it. */
  async #turn(deliveries: readonly Delivery[]): Promise<{ failed?: unknown }[]> {
    try {
      await this.#keepAll(deliveries);
      return deliveries.map(() => ({}));
    } catch (error) {
      // each alone would only wait as long again
      if (deliveries.length === 1 || isDatabaseAway(error) || isCutShort(error))
        return deliveries.map(() => ({ failed: error }));
    }
    const outcomes: { failed?: unknown }[] = [];
    for (const delivery of deliveries)
      outcomes.push(
        await this.#keepAll([delivery]).then(
          () => ({}),
          (failed: unknown) => ({ failed }),
        ),
      );
    return outcomes;
  }

  #keepAll(deliveries: readonly Delivery[]): Promise<void> {
    const { db, clock, jobs } = this.#deps;
    return db.work({ tx: true }, async (tx) => {
      const now = clock.now();
      const works = await this.#insert(tx, deliveries, now);
      await this.#noteShop(tx, deliveries, now);
      for (const [delay, some] of Map.groupBy(works, (each) => each.delay))
        await jobs.enqueueAll(
          tx,
          orderJob,
          some.map(({ work }) => work),
          { delay },
        );
    });
  }

  /** @returns the work on what is new, and has to be done something about. What comes while a shop is off waits until it is on again. */
  async #insert(tx: ShopsHandle, deliveries: readonly Delivery[], now: Date): Promise<QueuedWork[]> {
    const { random } = this.#deps;
    const isOff = new Set<string>();
    const rows = deliveries.flatMap(({ shop, headers, parts }) => {
      const kept = JSON.stringify(keptOf(headers));
      return parts.map(({ label, body }) => {
        const ignored = label.ignored ?? (label.orderKey === null ? 'It is about no order.' : null);
        const id = random.id();
        if (shop.state === 'off') isOff.add(id);
        return {
          id,
          developer_id: shop.developer_id,
          connection_id: shop.id,
          key: label.key,
          body_hash: hash('sha256', body, 'buffer'),
          body,
          headers: kept,
          event: label.event,
          order_key: label.orderKey,
          state: ignored === null ? ('received' as const) : ('ignored' as const),
          why: ignored,
          received_at: now,
          done_at: ignored === null ? null : now,
        };
      });
    });
    // in one order, so that two processes never wait for each other; of two that are the same, the first stays
    const sorted = rows
      .map((row) => ({ row, by: row.key ?? row.body_hash.toString('hex') }))
      .sort((a, b) => (a.by < b.by ? -1 : a.by > b.by ? 1 : a.row.id < b.row.id ? -1 : 1))
      .map(({ row }) => row);
    const added = new Set<string>();
    for (let at = 0; at < sorted.length; at += ROWS) {
      const some = await tx
        .insertInto('shop_deliveries')
        .values(sorted.slice(at, at + ROWS))
        .onConflict((on) => on.doNothing())
        .returning('id')
        .execute();
      for (const { id } of some) added.add(id);
    }
    return rows.flatMap(({ id, developer_id: accountId, connection_id: shopId, order_key: orderKey, state }) => {
      if (!added.has(id) || isOff.has(id) || state !== 'received' || orderKey === null) return [];
      const { delay, ...bulk } = this.#bursts.next(accountId, now);
      return [{ work: { accountId, shopId, orderKey, ...bulk }, delay }];
    });
  }

  /** Notes the shop's state after each of these deliveries, as if they had come one after the other. */
  async #noteShop(tx: ShopsHandle, deliveries: readonly Delivery[], now: Date): Promise<void> {
    const { shop } = deliveries.at(-1) as Delivery;
    let known = shop.trouble;
    const news: string[] = [];
    for (const { parts } of deliveries) {
      // a delivery does not fix a refusal of the API
      const stays = known !== null && (isOfApi(known) || isOfNotes(known)) ? known : null;
      const trouble = parts.find(({ label }) => label.trouble)?.label.trouble ?? stays;
      if (trouble !== null && trouble !== known) news.push(trouble);
      known = trouble;
    }
    const trouble = known;
    if (isOld(shop.last_event_at, now) || shop.trouble !== trouble)
      await tx
        .updateTable('shop_connections')
        .set({
          last_event_at: now,
          trouble,
          state: sql`case when state = 'off' then state when ${trouble}::text is null then 'active' else 'attention' end`,
        })
        .where('developer_id', '=', shop.developer_id)
        .where('id', '=', shop.id)
        .execute();
    for (const detail of new Set(news))
      await notifyShopOwner(this.#deps, tx, shop.developer_id, {
        shop_id: shop.id,
        name: shop.name,
        what: 'trouble',
        detail,
      });
  }
}

function fitsTurn(deliveries: readonly Delivery[]): boolean {
  const sum = (of: (delivery: Delivery) => number) => deliveries.reduce((total, each) => total + of(each), 0);
  return (
    deliveries.length <= TURN.deliveries &&
    sum(({ bytes }) => bytes) <= TURN.bytes &&
    sum(({ parts }) => parts.length) <= TURN.parts
  );
}

function keptOf(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && KEPT_HEADERS.test(name) && !SIGNATURES.test(name)
      ? [[name, value.slice(0, LONGEST_HEADER)] as const]
      : [],
  );
  return Object.fromEntries(kept);
}
