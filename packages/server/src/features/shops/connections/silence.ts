import { sql } from 'kysely';
import { type Clock, DAY } from '#platform/clock.ts';
import type { Columns } from '#platform/db/tables.ts';
import { acrossTenants } from '#platform/db/tenant.ts';
import { utcDay } from '#platform/time/days.ts';
import { connectors } from '../connectors/index.ts';
import type { ShopsDb, ShopsHandle } from '../tables.ts';
import type { ShopKind } from './connections.schemas.ts';
import { notifyShopOwner, type ShopEmailDependencies } from './shop-emails.ts';
import { noteTrouble } from './trouble.ts';

// A shop whose API is open is compared with its own list. Of any other, only its own rhythm shows that its webhook is off.

/** No shop is silent sooner, and none before it is so much longer than the longest that it was. */
const LEAST = 7 * DAY;
const TIMES = 3;
/** The newest sales that show a rhythm: all of them, or those of so many days. */
const SALES = 200;
const DAYS = 5;
/** A shop that has reported nothing for longer is over, and nobody waits for it. */
const OVER = 400 * DAY;

interface Dependencies extends ShopEmailDependencies {
  db: ShopsDb;
  clock: Clock;
}

interface Candidate extends Columns<'shop_connections', 'developer_id' | 'id'> {
  last_event_at: Date;
}

/**
 * How long a shop may report nothing, in milliseconds.
 * @param sales when its newest sales came, the newest first
 * @returns null: it has sold too little to have a rhythm.
 */
export function patienceOf(sales: readonly Date[]): number | null {
  if (new Set(sales.map((at) => utcDay(at))).size < DAYS && sales.length < SALES) return null;
  const gaps = sales.slice(1).map((at, n) => (sales[n] as Date).getTime() - at.getTime());
  return Math.max(LEAST, TIMES * Math.max(...gaps));
}

/** Warns of shops that report nothing any more, though nothing but their reports shows what they sell. */
export class SilentShops {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Once a day: warns of each shop once, and again only after it has reported something. */
  async lookAtAll(): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const before = (ms: number) => new Date(now.getTime() - ms);
    const listed = (Object.keys(connectors) as ShopKind[]).filter((kind) => connectors[kind].api?.changes);
    const { rows } = await sql<Candidate>`
      ${acrossTenants('the worker looks after all accounts')}
      select developer_id, id, last_event_at from shop_connections
      where deleted_at is null and state <> 'off' and mode = 'live' and trouble is null
        and last_event_at < ${before(LEAST)} and last_event_at > ${before(OVER)}
        and (refused_at is null or refused_at < last_event_at)
        and (silent_at is null or silent_at < last_event_at)
        and (credentials is null or kind <> all(${listed}::text[]))`.execute(db);
    for (const shop of rows) await db.work({ tx: true }, (tx) => this.#look(tx, shop, now));
  }

  async #look(tx: ShopsHandle, { developer_id: accountId, id, last_event_at }: Candidate, now: Date): Promise<void> {
    const sales = await tx
      .selectFrom('shop_orders')
      .select('received_at')
      .where('developer_id', '=', accountId)
      .where('connection_id', '=', id)
      .where('paid_at', 'is not', null)
      .where('found_at', 'is', null)
      .orderBy('id', 'desc')
      .limit(SALES)
      .execute();
    const patience = patienceOf(sales.map(({ received_at }) => received_at));
    // a program may record its sales by calls meanwhile
    const last = Math.max(
      last_event_at.getTime(),
      ...sales.slice(0, 1).map(({ received_at }) => received_at.getTime()),
    );
    const silence = now.getTime() - last;
    if (patience === null || silence <= patience) return;
    // one of two looks at once warns
    const warned = await tx
      .updateTable('shop_connections')
      .set({ silent_at: now })
      .where('developer_id', '=', accountId)
      .where('id', '=', id)
      .where('last_event_at', '=', last_event_at)
      .where(sql<boolean>`(silent_at is null or silent_at < last_event_at)`)
      .returning('id')
      .execute();
    if (warned.length === 0) return;
    const trouble = `The shop has reported nothing for ${Math.floor(silence / DAY)} days, which is much longer than it used to. See in the shop whether its webhook is still on and has the address that is shown here.`;
    const name = await noteTrouble(tx, { accountId, shopId: id, trouble });
    if (name === null) return;
    const news = { shop_id: id, name, what: 'silent' as const, detail: trouble };
    await notifyShopOwner(this.#deps, tx, accountId, news, IF_IT_SOLD);
  }
}

const IF_IT_SOLD =
  'If it has sold nothing, all is well. If it has, its customers wait for their codes until it reports its orders again.';
