import { lockAccount } from '#features/accounts';
import type { Principal } from '#platform/access/access.ts';
import { type Clock, DAY, HOUR } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { base62, type Random } from '#platform/random.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { connectors } from '../connectors/index.ts';
import { limits as policies } from '../limits.ts';
import { SECRET_PURPOSE } from '../sealed.ts';
import type { ShopsDb, ShopsHandle } from '../tables.ts';
import { addressOf } from './address.ts';
import * as q from './connections.queries.ts';
import type { RotateShopForm, ShopChange, ShopForm, ShopKind, ShopView } from './connections.schemas.ts';
import { refuseDelivering } from './delivering.ts';
import { scheduleFarewell } from './farewell.ts';
import { findRole } from './owner.ts';
import { makeSecret, makesSecret, takesSecret } from './secrets.ts';
import { auditShop, closed, given, noTrouble, requeueShop, type ShopAction } from './shop-changes.ts';
import { isOfNotes } from './trouble.ts';

const MOST = 50;
/** How long unreported sales of a shop are shown. */
const MISSED_FOR = 30 * DAY;
/** The token follows the account's id in the address: 190 bits that nobody guesses. */
const TOKEN_LENGTH = 32;

interface Dependencies {
  db: ShopsDb;
  clock: Clock;
  random: Random;
  secrets: Secrets;
  limits: RateLimits;
  jobs: Jobs;
  publicUrl: string;
  redeemUrl: (sql: Sql, developerId: string) => Promise<string>;
}

interface Shown {
  shop: ShopView;
  secret?: string;
}

/** The shops of an account, and what opens them. */
export class Connections {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Kinds that can be connected. */
  kinds(): ShopKind[] {
    return Object.keys(connectors) as ShopKind[];
  }

  async list(accountId: string): Promise<ShopView[]> {
    const rows = await q.findShops(this.#deps.db, accountId, this.#missedSince());
    const page = rows.length === 0 ? null : await this.#orderPage(accountId);
    return rows.map((row) => this.#view(accountId, row, page));
  }

  /** @throws {AppError} not_found when it is not this account's. */
  async get(accountId: string, id: string): Promise<ShopView> {
    const [row] = await q.findShops(this.#deps.db, accountId, this.#missedSince(), id);
    if (!row) throw notFound('Shop');
    return this.#view(accountId, row, await this.#orderPage(accountId));
  }

  /** @param id a repeat with the same id gets the shop that is there, with its secret. */
  async create(caller: Principal, id: string, form: ShopForm): Promise<Shown> {
    const { db, clock, random, limits } = this.#deps;
    const { kind, name, mode, delivery, on_refund, on_dispute, on_duplicate } = form;
    refuseSecret(kind, form.secret);
    await limits.take(policies.shop_changes, caller.accountId);
    const secret = form.secret ?? makeSecret(kind, random);
    const kept = await db.work({ tx: true }, async (tx) => {
      // one at a time, or two at once could both make the last one
      await lockAccount(tx, caller);
      const before = await q.holdShop(tx, caller.accountId, id).select('secret').executeTakeFirst();
      if (before) return before.secret && this.#open(before.secret);
      if (delivery === 'shop') await refuseDelivering(tx, caller.accountId, { kind, isOpen: false });
      if ((await q.countShops(tx, caller.accountId)) >= MOST)
        throw new AppError('domain_rule', `You already have ${MOST} shops. Delete one first.`);
      await q.addShop(tx, {
        id,
        developer_id: caller.accountId,
        kind,
        name,
        mode,
        token: base62(random, TOKEN_LENGTH),
        secret: secret === null ? null : this.#seal(secret),
        state: 'active',
        delivering: delivery,
        on_refund,
        on_dispute,
        on_duplicate,
        created_at: clock.now(),
      });
      await this.#audit(tx, caller, 'shop_connected', id, name);
      return secret;
    });
    const shop = await this.get(caller.accountId, id);
    return kept !== null && makesSecret(kind) && form.secret === undefined ? { shop, secret: kept } : { shop };
  }

  /** @throws {AppError} not_found */
  async update(caller: Principal, id: string, form: ShopChange): Promise<ShopView> {
    const { db, limits } = this.#deps;
    await limits.take(policies.shop_changes, caller.accountId);
    await db.work({ tx: true }, async (tx) => {
      await lockAccount(tx, caller);
      const held = await q
        .holdShop(tx, caller.accountId, id)
        .select(['kind', 'name', 'state', 'delivering', 'credentials', 'trouble'])
        .executeTakeFirst();
      if (!held) throw notFound('Shop');
      refuseSecret(held.kind, form.secret);
      // a form sends all that it has, and what is so already stays
      if (form.delivery === 'shop' && held.delivering !== 'shop')
        await refuseDelivering(tx, caller.accountId, { kind: held.kind, isOpen: held.credentials !== null });
      const isOver = form.delivery === 'us' && held.trouble !== null && isOfNotes(held.trouble);
      const { secret, delivery, name, mode, on_refund, on_dispute, on_duplicate } = form;
      await q
        .changeShop(tx, caller.accountId, id)
        .set({
          ...given({ name, mode, delivering: delivery, on_refund, on_dispute, on_duplicate }),
          ...(secret === undefined ? {} : { secret: this.#seal(secret), previous_secret: null, previous_until: null }),
          ...(secret === undefined && !isOver ? {} : noTrouble),
        })
        .execute();
      await this.#audit(tx, caller, 'shop_changed', id, form.name ?? held.name);
    });
    return this.get(caller.accountId, id);
  }

  /** Deletes a shop. Its later deliveries are unknown to us; the orders stay, and so do their serials. */
  async delete(caller: Principal, id: string): Promise<void> {
    const { db, clock } = this.#deps;
    const { accountId } = caller;
    await db.work({ tx: true }, async (tx) => {
      await lockAccount(tx, caller);
      const held = await q.holdShop(tx, accountId, id).select(['kind', 'name', 'credentials']).executeTakeFirst();
      if (!held) throw notFound('Shop');
      await q
        .changeShop(tx, accountId, id)
        .set({ ...closed, deleted_at: clock.now() })
        .execute();
      await scheduleFarewell(this.#deps, tx, { accountId, shopId: id }, held);
      await this.#audit(tx, caller, 'shop_deleted', id, held.name);
    });
  }

  /**
   * Makes the next secret, or takes the one that the shop made; the old one is accepted beside it until the overlap ends.
   * @throws {AppError} not_found; invalid_request for a shop whose secret is its own.
   */
  async rotate(caller: Principal, id: string, form: RotateShopForm): Promise<Shown> {
    const { db, clock, random, limits } = this.#deps;
    await limits.take(policies.shop_changes, caller.accountId);
    const until = new Date(clock.now().getTime() + form.overlap_hours * HOUR);
    const made = await db.work({ tx: true }, async (tx) => {
      await lockAccount(tx, caller);
      const held = await q.holdShop(tx, caller.accountId, id).select(['kind', 'name']).executeTakeFirst();
      if (!held) throw notFound('Shop');
      refuseSecret(held.kind, form.secret);
      const generated = form.secret === undefined ? makeSecret(held.kind, random) : null;
      const secret = form.secret ?? generated;
      if (secret === null)
        throw takesSecret(held.kind)
          ? invalidField('secret', 'Paste the new secret that the shop shows.')
          : new AppError('domain_rule', 'Such a shop has no secret.');
      await q.takeNextSecret(tx, caller.accountId, id, { secret: this.#seal(secret), until });
      await this.#audit(tx, caller, 'shop_secret_rotated', id, held.name);
      return generated;
    });
    const shop = await this.get(caller.accountId, id);
    return made === null ? { shop } : { shop, secret: made };
  }

  /** Pauses a shop. Its deliveries are kept and wait. */
  async pause(caller: Principal, id: string): Promise<ShopView> {
    await this.#switch(caller, id, async (tx) => {
      await q.changeShop(tx, caller.accountId, id).set({ state: 'off' }).execute();
    });
    return this.get(caller.accountId, id);
  }

  /** Whatever came in the meantime is worked on now. */
  async resume(caller: Principal, id: string): Promise<ShopView> {
    await this.#switch(caller, id, async (tx) => {
      await requeueShop(tx, this.#deps.jobs, caller.accountId, id);
      await q.switchOn(tx, caller.accountId, id);
    });
    return this.get(caller.accountId, id);
  }

  async #switch(caller: Principal, id: string, to: (tx: ShopsHandle) => Promise<void>): Promise<void> {
    await this.#deps.db.work({ tx: true }, async (tx) => {
      await lockAccount(tx, caller);
      const held = await q.holdShop(tx, caller.accountId, id).select('name').executeTakeFirst();
      if (!held) throw notFound('Shop');
      await to(tx);
      await this.#audit(tx, caller, 'shop_changed', id, held.name);
    });
  }

  #audit(tx: ShopsHandle, caller: Principal, action: ShopAction, id: string, name: string): Promise<void> {
    return auditShop(tx, caller, { action, at: this.#deps.clock.now(), id, name });
  }

  #seal(secret: string): Buffer {
    return this.#deps.secrets.seal(secret, SECRET_PURPOSE);
  }

  #open(sealed: Uint8Array): string {
    return this.#deps.secrets.open(Buffer.from(sealed), SECRET_PURPOSE).toString();
  }

  /** The page where a developer's customers look for an order; a reseller has none. */
  async #orderPage(accountId: string): Promise<string | null> {
    const { db, redeemUrl } = this.#deps;
    return (await findRole(db, accountId)) === 'developer' ? redeemUrl(db, accountId) : null;
  }

  #missedSince(): Date {
    return new Date(this.#deps.clock.now().getTime() - MISSED_FOR);
  }

  #view(accountId: string, row: q.ShopRow, page: string | null): ShopView {
    const { token, previous_until, delivering, missed_orders: orders, missed_refunds: refunds, ...rest } = row;
    const rotating = previous_until !== null && previous_until > this.#deps.clock.now();
    return {
      ...rest,
      address: addressOf(this.#deps.publicUrl, accountId, token),
      rotates_until: rotating ? previous_until : null,
      delivery: delivering,
      order_page: page && orderPageOf(page, row.kind),
      missed: row.last_reconciled_at === null ? null : missedOf(orders, refunds),
    };
  }
}

const missedOf = (orders: q.ShopRow['missed_orders'], refunds: q.ShopRow['missed_refunds']): ShopView['missed'] => {
  const times = [orders.at, refunds.at].flatMap((at) => (at === null ? [] : Date.parse(at)));
  return { orders: orders.n, refunds: refunds.n, last_at: times.length === 0 ? null : new Date(Math.max(...times)) };
};

/** The placeholder for the number of an order, in a link that a shop shows its customer. */
const PLACEHOLDERS: Partial<Record<ShopKind, string>> = {
  stripe: '{CHECKOUT_SESSION_ID}',
  lemonsqueezy: '[order_identifier]',
};

/** As it is to be pasted, with the shop’s own brackets. */
const orderPageOf = (page: string, kind: ShopKind): string =>
  `${page}${page.includes('?') ? '&' : '?'}order=${PLACEHOLDERS[kind] ?? ''}`;

function refuseSecret(kind: ShopKind, secret: string | undefined): void {
  if (secret === undefined) return;
  if (!takesSecret(kind)) throw invalidField('secret', 'Such a shop has no secret.');
  if (kind === 'other') throw invalidField('secret', 'We make the secret. Leave it out.');
}
