import { sql } from 'kysely';
import { holdAccounts } from '#features/accounts';
import { type Clock, DAY, HOUR, MINUTE } from '#platform/clock.ts';
import type { Columns } from '#platform/db/tables.ts';
import { acrossTenants } from '#platform/db/tenant.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { utcDay } from '#platform/time/days.ts';
import { addressOf } from '../connections/address.ts';
import type { ShopKind } from '../connections/connections.schemas.ts';
import { requeueShop } from '../connections/shop-changes.ts';
import { notifyShopOwner, type ShopEmailDependencies } from '../connections/shop-emails.ts';
import { isOfApi, noteTrouble } from '../connections/trouble.ts';
import { ShopRefuses } from '../connectors/api.ts';
import { connectors } from '../connectors/index.ts';
import type { ListPage, Reading } from '../connectors/port.ts';
import { findSealed, findShop } from '../orders/shop-rows.queries.ts';
import { reconcileJob } from '../queue/order-job.ts';
import type { OrderWorker } from '../queue/order-worker.ts';
import type { ShopsDb, ShopsHandle } from '../tables.ts';
import { apiOf, type FetchDependencies, subscribed } from './fetching.ts';
import { advance, begun, type Progress, progressIn } from './progress.ts';
import { keyOf } from './what-came.ts';

/** How much of what was compared before is compared again, so that nothing falls between two looks. */
const OVERLAP = DAY;
/**
 * Sales of so long before that are looked at again for what was taken back of them, where a list is by their day alone: with each look, and once a
 * day as long as a chargeback may take.
 */
const TAKEN_BACK = { often: 30 * DAY, daily: 180 * DAY };
/** One look. What is left goes on from its page, in a job of its own. */
const LOOK = { ms: 10 * MINUTE, most: 5000 };
const PAGES = 150;
/** A shop that gave nothing for so long, though its list has new orders, has a webhook that is off. */
const SILENT_AFTER = HOUR;

interface Dependencies extends FetchDependencies, ShopEmailDependencies {
  db: ShopsDb;
  clock: Clock;
  jobs: Jobs;
  worker: OrderWorker;
}

interface Work {
  accountId: string;
  shopId: string;
}

/** The start of a look, and the proof that no other look has gone on from there. */
interface Start {
  since: Date;
  /** Since when sales are looked at again. */
  sold: Date;
  /** The first look of a day, or the first one after trouble: it also checks what the shop sends here. */
  isThorough: boolean;
  last: Date | null;
  cursor: string | null;
  progress: Progress;
}

/** Compares what shops list with what came: a webhook that is lost, late or off loses no sale. */
export class Reconciling {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Every 15 minutes: queues a look at each shop that is due, those that forget more often than others. */
  async lookAtAll(): Promise<void> {
    const { db, clock, jobs } = this.#deps;
    const now = clock.now().getTime();
    const due = (every: 15 | 1440) => new Date(now - every * MINUTE + MINUTE);
    const kinds = (every: 15 | 1440) =>
      (Object.keys(connectors) as ShopKind[]).filter((kind) => {
        const { api } = connectors[kind];
        return api?.changes && api.every === every;
      });
    // those that have come to be silent are looked at more often, and a list that nobody can read whole once a day
    const { rows } = await sql<Columns<'shop_connections', 'developer_id' | 'id'>>`
      ${acrossTenants('the worker looks after all accounts')}
      select developer_id, id from shop_connections
      where deleted_at is null and state <> 'off' and credentials is not null
        and (trouble is distinct from ${ENDLESS} or last_reconciled_at < ${due(1440)})
        and (kind = any(${kinds(15)}::text[]) and coalesce(last_reconciled_at, created_at) < ${due(15)}
          or kind = any(${kinds(1440)}::text[]) and coalesce(last_reconciled_at, created_at) < ${due(1440)}
          or kind = any(${kinds(1440)}::text[]) and coalesce(last_event_at, created_at) < ${new Date(now - DAY)}
            and coalesce(last_reconciled_at, created_at) < ${new Date(now - HOUR)})`.execute(db);
    const works = rows.map(({ developer_id, id }) => ({ accountId: developer_id, shopId: id, bulk: true as const }));
    await db.work({ tx: true }, (tx) => jobs.enqueueAll(tx, reconcileJob, works));
  }

  /**
   * The job: reads what has changed in a shop since the last look, and a day before that. Never from before it was connected. A longer list
   * is read in several jobs, and counts as read at its end.
   * @throws {ShopAway} when it has to be tried again.
   */
  async look({ accountId, shopId }: Work): Promise<void> {
    const { db } = this.#deps;
    const sealed = await findSealed(db, accountId, shopId);
    if (!sealed || sealed.deleted_at !== null || sealed.state === 'off') return;
    const opened = apiOf(this.#deps, sealed, LOOK);
    if (!opened) return;
    const { api, connector } = opened;
    const { changes } = connector;
    if (!changes) return;
    const start = await this.#start(accountId, shopId);
    if (start === null) return;
    const { since, sold, progress } = start;
    let reached = progress;
    let refused: string | null = null;
    try {
      for (let pages = 0; ; pages += 1) {
        if (pages === PAGES) return await this.#goOn({ accountId, shopId }, start, reached);
        const found: ListPage = await changes(api, since, reached.page, sold);
        for (const { orderKey, reading } of found.readings) {
          if (await this.#isKnown({ accountId, shopId }, orderKey, reading)) continue;
          const whole = 'lacks' in reading && reading.lacks ? await connector.complete(reading, api) : reading;
          if (await this.#take({ accountId, shopId }, keyOf(whole, orderKey), whole, since))
            reached = { ...reached, missed: reached.missed + 1 };
        }
        if (found.next === null) break;
        const next = advance(reached, found.next);
        if (next === null) refused = ENDLESS;
        if (next === null) break;
        reached = next;
      }
      const address = addressOf(this.#deps.publicUrl, accountId, sealed.token);
      if (start.isThorough) refused ??= await subscribed(opened, address);
    } catch (error) {
      if (!(error instanceof ShopRefuses)) {
        // another try begins at this page
        if (reached.page !== progress.page) await this.#keep(this.#deps.db, { accountId, shopId }, start, reached);
        throw error;
      }
      await this.#trouble({ accountId, shopId }, error.message);
      return;
    }
    await this.#done({ accountId, shopId }, reached, refused);
  }

  async #start(accountId: string, shopId: string): Promise<Start | null> {
    const found = await this.#deps.db
      .selectFrom('shop_connections')
      .select(['created_at', 'last_reconciled_at', 'cursor', 'trouble'])
      .where('developer_id', '=', accountId)
      .where('id', '=', shopId)
      .executeTakeFirst();
    if (!found) return null;
    const { created_at, last_reconciled_at: last, cursor, trouble } = found;
    const progress = cursor === null ? begun(this.#deps.clock.now()) : progressIn(cursor);
    const isDaily = last === null || utcDay(last) !== utcDay(progress.began);
    // never from before it was connected
    const from = (time: number) => new Date(Math.max(time, created_at.getTime()));
    const since = from(last === null ? 0 : last.getTime() - OVERLAP);
    return {
      since,
      sold: from(since.getTime() - TAKEN_BACK[isDaily ? 'daily' : 'often']),
      isThorough: isDaily || trouble !== null,
      last,
      cursor,
      progress,
    };
  }

  #goOn(work: Work, start: Start, progress: Progress): Promise<void> {
    const { db, jobs } = this.#deps;
    return db.work({ tx: true }, async (tx) => {
      if (await this.#keep(tx, work, start, progress)) await jobs.enqueue(tx, reconcileJob, work);
    });
  }

  /** @returns false: another look has been on from there, and this one ends. */
  async #keep(
    handle: ShopsHandle,
    { accountId, shopId }: Work,
    { last, cursor }: Start,
    progress: Progress,
  ): Promise<boolean> {
    const kept = await handle
      .updateTable('shop_connections')
      .set({ cursor: JSON.stringify(progress) })
      .where('developer_id', '=', accountId)
      .where('id', '=', shopId)
      .where('cursor', 'is not distinct from', cursor)
      .where('last_reconciled_at', 'is not distinct from', last)
      .returning('id')
      .execute();
    return kept.length > 0;
  }

  /** Whether nothing of it is news: what was looked at before costs the shop no further question. */
  async #isKnown({ accountId, shopId }: Work, orderKey: string, reading: Reading): Promise<boolean> {
    if ('unusable' in reading || 'ignored' in reading) return true;
    const { order, reversals = [] } = reading;
    const { db } = this.#deps;
    const known = await db
      .selectFrom('shop_orders')
      .select(['id', 'paid_at', 'version_at'])
      .where('developer_id', '=', accountId)
      .where('connection_id', '=', shopId)
      .where('external_id', '=', orderKey)
      .executeTakeFirst();
    if (!known) return false;
    const isOlder =
      !order ||
      (known.version_at !== null &&
        known.version_at >= order.versionAt &&
        (known.paid_at !== null || order.paidAt === null));
    if (!isOlder || reversals.length === 0) return isOlder;
    const keys = reversals.map(({ key }) => key);
    const seen = await db
      .selectFrom('shop_reversals')
      .select('key')
      .where('developer_id', '=', accountId)
      .where('order_id', '=', known.id)
      .where('key', '=', sql<string>`any(${keys}::text[])`)
      .execute();
    return new Set(seen.map(({ key }) => key)).size === new Set(keys).size;
  }

  /** @returns whether it is a sale or a refund that the shop has not reported. */
  async #take({ accountId, shopId }: Work, orderKey: string, reading: Reading, since: Date): Promise<boolean> {
    if ('unusable' in reading || 'ignored' in reading) return false;
    const { order, reversals = [] } = reading;
    const { db, worker } = this.#deps;
    return db.work({ tx: true }, async (tx) => {
      const [account] = await holdAccounts(tx, [accountId], { wait: true });
      const shop = await findShop(tx, accountId, shopId);
      if (!account || !shop || shop.deleted_at !== null || shop.state === 'off') return false;
      const before = await knownBefore(tx, accountId, shopId, orderKey);
      // sales from before the shop was connected are not ours, unless the shop reported them
      if (before === null && (!order || (order.paidAt ?? order.versionAt) < since)) return false;
      await worker.apply(tx, shop, orderKey, { orders: order ? [order] : [], reversals, isFound: true });
      const isSale = before === null || (before.paid_at === null && order?.paidAt != null);
      return isSale || reversals.some(({ key }) => !before.reversals.includes(key));
    });
  }

  #trouble({ accountId, shopId }: Work, trouble: string): Promise<void> {
    return this.#deps.db.work({ tx: true }, async (tx) => {
      // it may be the page that is refused: the next look begins anew
      await tx
        .updateTable('shop_connections')
        .set({ cursor: null })
        .where('developer_id', '=', accountId)
        .where('id', '=', shopId)
        .where('cursor', 'is not', null)
        .execute();
      const name = await noteTrouble(tx, { accountId, shopId, trouble });
      if (name !== null)
        await notifyShopOwner(this.#deps, tx, accountId, { shop_id: shopId, name, what: 'trouble', detail: trouble });
    });
  }

  /** @param refused what somebody has to mend, though the list was read. */
  async #done({ accountId, shopId }: Work, { began, missed }: Progress, refused: string | null): Promise<void> {
    await this.#deps.db.work({ tx: true }, async (tx) => {
      const shop = await tx
        .selectFrom('shop_connections')
        .select(['name', 'trouble', 'last_event_at', 'state'])
        .where('developer_id', '=', accountId)
        .where('id', '=', shopId)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (!shop) return;
      const isSilent =
        missed > 0 && (shop.last_event_at === null || began.getTime() - shop.last_event_at.getTime() > SILENT_AFTER);
      const isMended = shop.trouble !== null && isOfApi(shop.trouble);
      const kept = isMended ? null : shop.trouble;
      const news = refused ?? (isSilent ? SILENT : null);
      const trouble = news ?? kept;
      await tx
        .updateTable('shop_connections')
        .set({
          last_reconciled_at: began,
          cursor: null,
          trouble,
          state: sql`case when state = 'off' then state when ${trouble}::text is null then 'active' else 'attention' end`,
        })
        .where('developer_id', '=', accountId)
        .where('id', '=', shopId)
        .execute();
      // the job of what the API refused to complete has ended
      if (isMended) await requeueShop(tx, this.#deps.jobs, accountId, shopId);
      if (news !== null && news !== shop.trouble)
        await notifyShopOwner(this.#deps, tx, accountId, {
          shop_id: shopId,
          name: shop.name,
          what: refused === null ? 'silent' : 'trouble',
          detail:
            refused ??
            `${SILENT} ${missed === 1 ? 'One sale or refund was' : `${missed} sales and refunds were`} found in its list.`,
        });
    });
  }
}

const ENDLESS =
  'The list of the shop’s API repeats its pages or does not end, so no more of it is read before tomorrow. What the shop reports counts as before. See whether something between the shop and us, such as a cache, changes what its API answers.';

const SILENT =
  'The shop reports nothing any more, so its webhook is off or has another address. Switch it on in the shop again.';

const knownBefore = async (tx: ShopsHandle, accountId: string, shopId: string, externalId: string) =>
  (await tx
    .selectFrom('shop_orders')
    .select([
      'paid_at',
      sql<string[]>`array(select key from shop_reversals r
        where r.developer_id = ${accountId} and r.order_id = shop_orders.id)`.as('reversals'),
    ])
    .where('developer_id', '=', accountId)
    .where('connection_id', '=', shopId)
    .where('external_id', '=', externalId)
    .executeTakeFirst()) ?? null;
