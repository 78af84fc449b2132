import { sql } from 'kysely';
import { holdAccounts } from '#features/accounts';
import type { Clock } from '#platform/clock.ts';
import type { Random } from '#platform/random.ts';
import { emailKey, parseEmail } from '#platform/text/email-address.ts';
import { type NoticeDependencies, tellOfShop } from '../connections/shop-notices.ts';
import { noteTrouble } from '../connections/trouble.ts';
import { ShopRefuses } from '../connectors/api.ts';
import { connectors } from '../connectors/index.ts';
import type { OrderSnapshot, Reading, ReversalSnapshot } from '../connectors/port.ts';
import type { ShopsDb, ShopsHandle } from '../tables.ts';
import { completed, type FetchDependencies } from './fetching.ts';
import { merge, type RateOf } from './merge.ts';
import type { OrderWork } from './order-job.ts';
import * as q from './order-rows.queries.ts';
import { findRate } from './rates.queries.ts';
import type { Answer, Settling, Shop } from './settling.ts';

/** Among what is settled of an order: its address was entered here, and the shop's is no longer used. */
export const BY_HAND = 'email_by_hand';

/** What one transaction works on. */
const AT_ONCE = 100;

interface Dependencies extends FetchDependencies, NoticeDependencies {
  db: ShopsDb;
  clock: Clock;
  random: Random;
  settling: Settling;
}

/** What is known of an order, beside what is in its rows. */
export interface News {
  orders: readonly OrderSnapshot[];
  reversals: readonly ReversalSnapshot[];
}

/** Brings orders up to date with what came: each in one transaction, under a lock, so that it ends as if all had come at once. */
export class OrderWorker {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** The job. Whatever came twice, late or in another order, it ends in the same. */
  async run(work: OrderWork): Promise<void> {
    for (;;) {
      const prepared = await this.#prepared(work);
      if (prepared === 'refused' || (await this.#some(work, prepared)) < AT_ONCE) return;
    }
  }

  /**
   * What waits, with what only the shop's API knows of it: asked for before there is a transaction, and only of shops that leave something
   * out. What comes in the meantime has a job of its own.
   * @returns null: nothing has to be asked for; refused: it waits until somebody mends what the shop now answers.
   */
  async #prepared({
    accountId,
    shopId,
    orderKey,
  }: OrderWork): Promise<ReadonlyMap<string, Reading> | null | 'refused'> {
    const { db } = this.#deps;
    const shop = await findSealed(db, accountId, shopId);
    if (!shop || shop.deleted_at !== null || shop.state === 'off' || !connectors[shop.kind].api) return null;
    const waiting = await db
      .selectFrom('shop_deliveries')
      .select(['id', 'body', 'headers'])
      .where('developer_id', '=', accountId)
      .where('connection_id', '=', shopId)
      .where('order_key', '=', orderKey)
      .where('state', '=', 'received')
      .orderBy('id')
      .limit(AT_ONCE)
      .execute();
    const readings = waiting.map(({ body, headers }) =>
      readingOf(shop, Buffer.from(body), JSON.parse(headers) as Record<string, string>),
    );
    if (!readings.some((reading) => 'lacks' in reading)) return null;
    try {
      const all = await completed(this.#deps, shop, readings);
      return new Map(waiting.map(({ id }, at) => [id, all[at] as Reading]));
    } catch (error) {
      if (!(error instanceof ShopRefuses)) throw error;
      await this.#tellTrouble(accountId, shopId, error.message);
      return 'refused';
    }
  }

  #tellTrouble(accountId: string, shopId: string, trouble: string): Promise<void> {
    return this.#deps.db.work({ tx: true }, async (tx) => {
      const name = await noteTrouble(tx, { accountId, shopId, trouble });
      if (name !== null)
        await tellOfShop(this.#deps, tx, accountId, { shop_id: shopId, name, what: 'trouble', detail: trouble });
    });
  }

  /** @returns how many deliveries it has worked on. */
  #some({ accountId, shopId, orderKey }: OrderWork, prepared: ReadonlyMap<string, Reading> | null): Promise<number> {
    const { db, clock } = this.#deps;
    return db.work({ tx: true }, async (tx) => {
      const shop = await findShop(tx, accountId, shopId);
      if (!shop || shop.deleted_at !== null || shop.state === 'off') return 0;
      // an account that is being deleted is deleted first
      const [account] = await holdAccounts(tx, [accountId], { wait: true });
      if (!account) return 0;
      const deliveries = await tx
        .selectFrom('shop_deliveries')
        .select(['id', 'body', 'headers'])
        .where('developer_id', '=', accountId)
        .where('connection_id', '=', shopId)
        .where('order_key', '=', orderKey)
        .where('state', '=', 'received')
        // what was not asked about has a job of its own
        .$if(prepared !== null, (some) =>
          some.where('id', '=', sql<string>`any(${[...(prepared?.keys() ?? [])]}::uuid[])`),
        )
        .orderBy('id')
        .limit(AT_ONCE)
        .forNoKeyUpdate()
        .execute();
      const readings = deliveries.flatMap(({ id, body, headers }) => {
        const reading = prepared
          ? prepared.get(id)
          : readingOf(shop, Buffer.from(body), JSON.parse(headers) as Record<string, string>);
        // it came while those before it were read, and nobody has asked about it
        return reading && (prepared || !('lacks' in reading)) ? [{ id, reading }] : [];
      });
      const now = clock.now();
      const orderId = await this.apply(tx, shop, orderKey, newsOf(readings.map(({ reading }) => reading)));
      await noteDone(tx, accountId, readings, now);
      if (orderId !== null) await forgetErased(tx, { accountId, orderId, ids: readings.map(({ id }) => id) });
      return readings.length;
    });
  }

  /**
   * Adds what is new to an order and brings its serials up to date, in the caller's transaction. Without news, an order that is there is
   * looked at again.
   * @returns its id; null: there is none.
   */
  async apply(
    tx: ShopsHandle,
    shop: Shop,
    externalId: string,
    { orders, reversals }: News,
    answer?: Answer,
  ): Promise<string | null> {
    const { clock, random, settling } = this.#deps;
    const { developer_id: accountId } = shop;
    const now = clock.now();
    const idOf = () => random.id();
    const key = { id: random.id(), accountId, shopId: shop.id, externalId, now };
    const isNews = orders.length > 0 || reversals.length > 0;
    const held = isNews
      ? await q.holdOrder(tx, key)
      : { row: await q.findHeld(tx, accountId, shop.id, externalId), isNew: false };
    if (!held.row) return null;
    const order = held.row;
    if (orders.length > 0) {
      const rateOf = await ratesFor(tx, orders);
      const before = q.knownOf(order, await q.findLines(tx, order));
      const known = orders.reduce((so_far, version) => merge(so_far, version, rateOf), before);
      const isErased = order.erased_at !== null;
      // an address that somebody has entered here stays
      const said = order.settled.includes(BY_HAND) ? order.email : known.email;
      const email = isErased || said === null ? null : parseEmail(said);
      const sum = (of: (line: (typeof known.lines)[number]) => number) =>
        known.lines.reduce((total, line) => total + of(line), 0);
      Object.assign(order, {
        number: known.number,
        is_test: known.isTest || shop.mode === 'test',
        paid_at: known.paidAt,
        canceled_at: known.canceledAt,
        version_at: known.versionAt,
        email_as_sold: isErased ? null : known.emailAsSold,
        email,
        email_key: email === null ? null : emailKey(email),
        first_name: isErased ? null : known.firstName,
        last_name: isErased ? null : known.lastName,
        language: known.language,
        country: known.country,
        currency: known.currency,
        known_as: [...known.knownAs],
        net_minor: sum(({ netMinor }) => netMinor),
        usd_cents: known.lines.some(({ usdCents }) => usdCents === null) ? null : sum(({ usdCents }) => usdCents ?? 0),
      } satisfies Partial<q.OrderRow>);
      await q.writeLines(tx, order, known.lines, idOf);
      const named = new Map(known.lines.map((line) => [line.externalId, line.productIds]));
      await settling.nameProducts(tx, order, named);
    }
    await q.addReversals(tx, order, reversals, { idOf, now });
    await settling.settle(tx, shop, order, { isNew: held.isNew, ...(answer ? { answer } : {}) });
    return order.id;
  }
}

/** A shop with what opens its API. */
export const findSealed = (handle: ShopsHandle, accountId: string, id: string) =>
  handle
    .selectFrom('shop_connections')
    .select(['id', 'kind', 'mode', 'state', 'deleted_at', 'credentials'])
    .where('developer_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

/** A shop as far as its orders need it. */
export const findShop = (tx: ShopsHandle, accountId: string, id: string): Promise<Shop | undefined> =>
  tx
    .selectFrom('shop_connections')
    .select([
      'id',
      'developer_id',
      'kind',
      'name',
      'mode',
      'state',
      'delivering',
      'on_refund',
      'on_dispute',
      'on_duplicate',
      'deleted_at',
    ])
    .where('developer_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

function readingOf(
  { kind, mode }: Pick<Shop, 'kind' | 'mode'>,
  body: Buffer,
  headers: Record<string, string>,
): Reading {
  const connector = connectors[kind];
  const { test } = connector.label({ body, headers });
  if (test === true && mode === 'live') return { ignored: 'It is of the shop’s test mode, and this is a live shop.' };
  if (test === false && mode === 'test') return { ignored: 'It is a live sale, and this shop is for tests.' };
  return connector.read({ body, headers });
}

function newsOf(readings: readonly Reading[]): News {
  return {
    orders: readings.flatMap((reading) => ('order' in reading && reading.order ? [reading.order] : [])),
    reversals: readings.flatMap((reading) => ('reversals' in reading && reading.reversals ? reading.reversals : [])),
  };
}

async function noteDone(
  tx: ShopsHandle,
  accountId: string,
  readings: readonly { id: string; reading: Reading }[],
  now: Date,
): Promise<void> {
  if (readings.length === 0) return;
  const outcomes = readings.map(({ id, reading }) =>
    'unusable' in reading
      ? { id, state: 'failed', why: reading.unusable }
      : 'ignored' in reading
        ? { id, state: 'ignored', why: reading.ignored }
        : { id, state: 'done', why: null },
  );
  await sql`
    update shop_deliveries d set state = t.state, why = t.why, done_at = ${now}
    from unnest(${outcomes.map(({ id }) => id)}::uuid[], ${outcomes.map(({ state }) => state)}::text[],
      ${outcomes.map(({ why }) => why)}::text[]) as t (id, state, why)
    where d.developer_id = ${accountId} and d.id = t.id`.execute(tx);
}

/** What comes about an order whose customer was erased is used, and not kept. */
async function forgetErased(
  tx: ShopsHandle,
  { accountId, orderId, ids }: { accountId: string; orderId: string; ids: readonly string[] },
): Promise<void> {
  const order = await tx
    .selectFrom('shop_orders')
    .select('erased_at')
    .where('developer_id', '=', accountId)
    .where('id', '=', orderId)
    .executeTakeFirst();
  if (!order?.erased_at) return;
  await tx
    .updateTable('shop_deliveries')
    .set({ body: Buffer.alloc(0), headers: '{}' })
    .where('developer_id', '=', accountId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}

/** The rates that versions of an order are counted with: those of the day on which it was paid. */
async function ratesFor(tx: ShopsHandle, orders: readonly OrderSnapshot[]): Promise<RateOf> {
  const rates = new Map<string, string | null>();
  for (const { currency, paidAt, versionAt } of orders)
    if (currency !== 'USD' && !rates.has(currency))
      rates.set(currency, await findRate(tx, currency, paidAt ?? versionAt));
  return (currency) => rates.get(currency) ?? null;
}
