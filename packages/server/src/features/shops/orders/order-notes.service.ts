import { holdAccounts } from '#features/accounts';
import { type Clock, MINUTE } from '#platform/clock.ts';
import { noTrouble } from '../connections/shop-changes.ts';
import { notifyShopOwner, type ShopEmailDependencies } from '../connections/shop-emails.ts';
import { isOfNotes, noteTrouble } from '../connections/trouble.ts';
import { ShopAway, ShopRefuses } from '../connectors/api.ts';
import type { OrderWork } from '../queue/order-job.ts';
import { apiOf, type FetchDependencies } from '../reconcile/fetching.ts';
import type { OrderEmails } from '../settling/order-emails.ts';
import { namesOf } from '../settling/products.queries.ts';
import { isNoted, languageOf, type OrderedCodes } from '../settling/work.ts';
import type { ShopsDb, ShopsHandle } from '../tables.ts';
import * as q from './order-rows.queries.ts';
import { findSealed } from './shop-rows.queries.ts';

/** The time that the shop may take for one note, and the most requests for it. */
const NOTE = { ms: 45_000, most: 5 };
/** How long no other process writes a note of the order: longer than writing one takes. */
const HOLD = 2 * MINUTE;
/** A customer waits no longer than that for a shop that is away. */
const PATIENCE = 15 * MINUTE;

const NO_API =
  'No customer note can be written, because the shop’s REST API is not opened here. Until then we email the codes.';

interface Dependencies extends FetchDependencies, ShopEmailDependencies {
  db: ShopsDb;
  clock: Clock;
  orderEmails: Pick<OrderEmails, 'emailAgain'>;
  orderedCodes: Pick<OrderedCodes, 'noteText'>;
}

type Work = Omit<OrderWork, 'bulk'>;

/** The codes to write, as they were when this began. */
interface Unwritten {
  order: q.OrderRow;
  units: readonly q.UnitRow[];
  names: ReadonlyMap<string, string>;
  redeemBy: ReadonlyMap<string, Date | null>;
}

/** How it ended: who gave the customer the codes, and what somebody has to mend. */
type Outcome = { by: 'shop' } | { by: 'email'; trouble: string | null };

/**
 * Has shops write codes to their customers. A shop emails each note, so an order's codes are in one note once, whatever is repeated or lost on the
 * way; and where no note can be written, we email the codes ourselves.
 */
export class OrderNotes {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** The job. @throws {ShopAway} when it has to be tried again. */
  async write(work: Work): Promise<void> {
    const unwritten = await this.#begin(work);
    if (!unwritten) return;
    try {
      await this.#end(work, unwritten, await this.#attempt(work, unwritten));
    } catch (error) {
      await this.#letGo(work);
      throw error;
    }
  }

  /** @returns null: there is nothing to be written. @throws {ShopAway} while somebody else is writing. */
  #begin(work: Work): Promise<Unwritten | null> {
    const { db, clock } = this.#deps;
    return db.work({ tx: true }, async (tx) => {
      const order = await this.#held(tx, work);
      if (!order || order.erased_at !== null) return null;
      const units = (await q.findUnits(tx, order)).filter(q.isUnwritten);
      if (units.length === 0) return null;
      const now = clock.now();
      if (order.noting_until !== null && order.noting_until > now)
        throw new ShopAway('A note of this order is being written.');
      await holdFor(tx, order, new Date(now.getTime() + HOLD));
      const ids = new Set(units.map(({ product_id }) => product_id));
      const lines = await q.findLines(tx, order);
      return {
        order,
        units,
        names: await namesOf(tx, order.developer_id, [...ids]),
        redeemBy: new Map(lines.map(({ id, expires_at }) => [id, expires_at])),
      };
    });
  }

  async #attempt({ accountId, shopId, orderKey }: Work, unwritten: Unwritten): Promise<Outcome> {
    const { db, clock } = this.#deps;
    const shop = await findSealed(db, accountId, shopId);
    // its owner wants our email by now
    if (!shop || !isNoted(shop)) return { by: 'email', trouble: null };
    const opened = apiOf(this.#deps, shop, NOTE);
    if (!opened?.connector.note) return { by: 'email', trouble: NO_API };
    const codes = unwritten.units.map(({ code }) => code as string);
    const textOf = (missing: readonly string[]) => this.#textOf(accountId, unwritten, missing);
    try {
      const isThere = await opened.connector.note(opened.api, orderKey, { codes, textOf });
      return isThere ? { by: 'shop' } : { by: 'email', trouble: null };
    } catch (error) {
      if (error instanceof ShopRefuses) return { by: 'email', trouble: error.message };
      const isLate = unwritten.units.every(
        ({ issued_at }) => issued_at !== null && clock.now().getTime() - issued_at.getTime() > PATIENCE,
      );
      if (!(error instanceof ShopAway) || !isLate) throw error;
      const trouble = `The shop took no customer note for 15 minutes, so we emailed the codes. ${error.message}`;
      return { by: 'email', trouble };
    }
  }

  #textOf(
    accountId: string,
    { order, units, names, redeemBy }: Unwritten,
    missing: readonly string[],
  ): Promise<string> {
    const some = units.filter(({ code }) => missing.includes(code as string));
    return this.#deps.orderedCodes.noteText(this.#deps.db, accountId, {
      number: order.number,
      email: order.email ?? '',
      language: languageOf(order.language),
      codes: some.map(({ code, product_id, line_id }) => ({
        product: names.get(product_id) ?? '',
        code: code as string,
        redeemBy: redeemBy.get(line_id) ?? null,
      })),
    });
  }

  #end(work: Work, { units }: Unwritten, outcome: Outcome): Promise<void> {
    const { db } = this.#deps;
    return db.work({ tx: true }, async (tx) => {
      const order = await this.#held(tx, work);
      if (!order) return;
      const unitIds = new Set(units.map(({ id }) => id));
      // units that were taken back meanwhile stay so
      const unwritten = (await q.findUnits(tx, order)).filter((unit) => unitIds.has(unit.id) && q.isUnwritten(unit));
      const [first] = unwritten;
      if (outcome.by === 'shop') {
        for (const unit of unwritten) unit.state = 'delivered';
        await q.writeUnits(tx, order.developer_id, unwritten);
        await this.#mended(tx, work);
      } else {
        if (first) await this.#deps.orderEmails.emailAgain(tx, order, first.id, new Set(unwritten.map(({ id }) => id)));
        if (outcome.trouble !== null) await this.#reportTrouble(tx, work, outcome.trouble);
      }
      await holdFor(tx, order, null);
    });
  }

  async #reportTrouble(tx: ShopsHandle, { accountId, shopId }: Work, trouble: string): Promise<void> {
    const name = await noteTrouble(tx, { accountId, shopId, trouble });
    if (name !== null)
      await notifyShopOwner(this.#deps, tx, accountId, { shop_id: shopId, name, what: 'trouble', detail: trouble });
  }

  async #mended(tx: ShopsHandle, { accountId, shopId }: Work): Promise<void> {
    const shop = await tx
      .selectFrom('shop_connections')
      .select('trouble')
      .where('developer_id', '=', accountId)
      .where('id', '=', shopId)
      .executeTakeFirst();
    if (!shop?.trouble || !isOfNotes(shop.trouble)) return;
    await tx
      .updateTable('shop_connections')
      .set(noTrouble)
      .where('developer_id', '=', accountId)
      .where('id', '=', shopId)
      .where('trouble', '=', shop.trouble)
      .execute();
  }

  #letGo(work: Work): Promise<void> {
    return this.#deps.db.work({ tx: true }, async (tx) => {
      const order = await this.#held(tx, work);
      if (order) await holdFor(tx, order, null);
    });
  }

  /** The order, after its account as whatever works on it does. */
  async #held(tx: ShopsHandle, { accountId, shopId, orderKey }: Work): Promise<q.OrderRow | undefined> {
    const [account] = await holdAccounts(tx, [accountId], { wait: true });
    return account ? q.findHeld(tx, accountId, shopId, orderKey) : undefined;
  }
}

async function holdFor(tx: ShopsHandle, { developer_id, id }: q.OrderRow, until: Date | null): Promise<void> {
  await tx
    .updateTable('shop_orders')
    .set({ noting_until: until })
    .where('developer_id', '=', developer_id)
    .where('id', '=', id)
    .execute();
}
