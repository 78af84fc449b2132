import { sql } from 'kysely';
import { holdAccounts } from '#features/accounts';
import type { Clock } from '#platform/clock.ts';
import type { Random } from '#platform/random.ts';
import { emailKey, parseEmail } from '#platform/text/email-address.ts';
import { connectors } from '../connectors/index.ts';
import type { OrderSnapshot, Reading, ReversalSnapshot } from '../connectors/port.ts';
import type { ShopsDb, ShopsHandle } from '../tables.ts';
import { merge, type RateOf } from './merge.ts';
import type { OrderWork } from './order-job.ts';
import * as q from './order-rows.queries.ts';
import { findRate } from './rates.queries.ts';
import type { Settling, Shop } from './settling.ts';

/** What one transaction works on. */
const AT_ONCE = 100;

interface Dependencies {
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
    while ((await this.#some(work)) === AT_ONCE);
  }

  /** @returns how many deliveries it has worked on. */
  #some({ accountId, shopId, orderKey }: OrderWork): Promise<number> {
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
        .orderBy('id')
        .limit(AT_ONCE)
        .forNoKeyUpdate()
        .execute();
      const readings = deliveries.map(({ id, body, headers }) => ({
        id,
        reading: readingOf(shop, Buffer.from(body), JSON.parse(headers) as Record<string, string>),
      }));
      const now = clock.now();
      await this.apply(tx, shop, orderKey, newsOf(readings.map(({ reading }) => reading)));
      await noteDone(tx, accountId, readings, now);
      return deliveries.length;
    });
  }

  /**
   * Adds what is new to an order and brings its serials up to date, in the caller's transaction. Without news, an order that is there is
   * looked at again.
   * @returns its id; null: there is none.
   */
  async apply(tx: ShopsHandle, shop: Shop, externalId: string, { orders, reversals }: News): Promise<string | null> {
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
      const email = isErased || known.email === null ? null : parseEmail(known.email);
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
        net_minor: sum(({ netMinor }) => netMinor),
        usd_cents: known.lines.some(({ usdCents }) => usdCents === null) ? null : sum(({ usdCents }) => usdCents ?? 0),
      } satisfies Partial<q.OrderRow>);
      await q.writeLines(tx, order, known.lines, idOf);
      const named = new Map(known.lines.map((line) => [line.externalId, line.productIds]));
      await settling.nameProducts(tx, order, named);
    }
    await q.addReversals(tx, order, reversals, { idOf, now });
    await settling.settle(tx, shop, order, { isNew: held.isNew });
    return order.id;
  }
}

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
      'deleted_at',
    ])
    .where('developer_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

function readingOf({ kind, mode }: Shop, body: Buffer, headers: Record<string, string>): Reading {
  const connector = connectors[kind];
  if (!connector) return { unusable: 'Such shops are not understood yet.' };
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

/** The rates that versions of an order are counted with: those of the day on which it was paid. */
async function ratesFor(tx: ShopsHandle, orders: readonly OrderSnapshot[]): Promise<RateOf> {
  const rates = new Map<string, string | null>();
  for (const { currency, paidAt, versionAt } of orders)
    if (currency !== 'USD' && !rates.has(currency))
      rates.set(currency, await findRate(tx, currency, paidAt ?? versionAt));
  return (currency) => rates.get(currency) ?? null;
}
