import { sql } from 'kysely';
import { lockAccount } from '#features/accounts';
import { recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import { type Clock, HOUR } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { base62, type Random } from '#platform/random.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { ShopAway, ShopRefuses } from '../connectors/api.ts';
import { connectors } from '../connectors/index.ts';
import type { CredentialName } from '../connectors/port.ts';
import { limits as policies } from '../limits.ts';
import { apiOf, type FetchDependencies, openCredentials } from '../orders/fetching.ts';
import { orderJob, reconcileJob } from '../orders/order-job.ts';
import { CREDENTIALS_PURPOSE, SECRET_PURPOSE } from '../sealed.ts';
import { type ShopsDb, type ShopsHandle, tables } from '../tables.ts';
import { findShops, holdShop, type ShopRow } from './connections.queries.ts';
import type {
  RotateShopForm,
  ShopChange,
  ShopCredentialsForm,
  ShopForm,
  ShopKind,
  ShopView,
} from './connections.schemas.ts';
import { makeSecret, makesSecret, takesSecret } from './secrets.ts';

const MOST = 50;
/** With the account's id before it: 190 bits that nobody guesses. */
const TOKEN_LENGTH = 32;
/** Somebody waits for it. */
const PROBE = { ms: 12_000, most: 5 };

type ShopAction = 'shop_connected' | 'shop_changed' | 'shop_deleted' | 'shop_secret_rotated';

interface Dependencies extends FetchDependencies {
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
    const rows = await findShops(this.#deps.db, accountId);
    const page = rows.length === 0 ? null : await this.#orderPage(accountId);
    return rows.map((row) => this.#view(accountId, row, page));
  }

  /** @throws {AppError} not_found when it is not this account's. */
  async get(accountId: string, id: string): Promise<ShopView> {
    const [row] = await findShops(this.#deps.db, accountId, id);
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
      const before = await holdShop(tx, caller.accountId, id).select('secret').executeTakeFirst();
      if (before) return before.secret && this.#open(before.secret);
      const { n } = await tx
        .selectFrom('shop_connections')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('developer_id', '=', caller.accountId)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow();
      if (n >= MOST) throw new AppError('domain_rule', `You already have ${MOST} shops. Delete one first.`);
      await tx
        .insertInto('shop_connections')
        .values({
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
        })
        .execute();
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
      const held = await holdShop(tx, caller.accountId, id).select(['kind', 'name', 'state']).executeTakeFirst();
      if (!held) throw notFound('Shop');
      refuseSecret(held.kind, form.secret);
      const { secret, delivery, name, mode, on_refund, on_dispute, on_duplicate } = form;
      await tx
        .updateTable('shop_connections')
        .set({
          ...given({ name, mode, delivering: delivery, on_refund, on_dispute, on_duplicate }),
          ...(secret === undefined ? {} : { secret: this.#seal(secret), previous_secret: null, previous_until: null }),
          ...(secret === undefined ? {} : untroubled),
        })
        .where('developer_id', '=', caller.accountId)
        .where('id', '=', id)
        .execute();
      await this.#audit(tx, caller, 'shop_changed', id, form.name ?? held.name);
    });
    return this.get(caller.accountId, id);
  }

  /** What comes from now on is unknown to us; the orders stay, and so do their serials. */
  async delete(caller: Principal, id: string): Promise<void> {
    const { db, clock } = this.#deps;
    await db.work({ tx: true }, async (tx) => {
      await lockAccount(tx, caller);
      const gone = await tx
        .updateTable('shop_connections')
        .set({ ...closed, deleted_at: clock.now() })
        .where('developer_id', '=', caller.accountId)
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .returning('name')
        .executeTakeFirst();
      if (!gone) throw notFound('Shop');
      await this.#audit(tx, caller, 'shop_deleted', id, gone.name);
    });
  }

  /** In the transaction that deletes an account: nothing is left that opens a shop, or shows who bought. */
  async deleteOf(handle: Sql, accountId: string): Promise<void> {
    const now = this.#deps.clock.now();
    const tx = tables.in(handle);
    await tx
      .updateTable('shop_connections')
      .set({ ...closed, deleted_at: sql<Date>`coalesce(deleted_at, ${now}::timestamptz)` })
      .where('developer_id', '=', accountId)
      .execute();
    await tx
      .updateTable('shop_orders')
      .set({ ...nobody, erased_at: now })
      .where('developer_id', '=', accountId)
      .where('erased_at', 'is', null)
      .execute();
    await tx.deleteFrom('shop_order_links').where('developer_id', '=', accountId).execute();
    await tx
      .updateTable('shop_deliveries')
      .set({ body: Buffer.alloc(0), headers: '{}' })
      .where('developer_id', '=', accountId)
      .execute();
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
      const held = await holdShop(tx, caller.accountId, id).select(['kind', 'name']).executeTakeFirst();
      if (!held) throw notFound('Shop');
      refuseSecret(held.kind, form.secret);
      const ours = form.secret === undefined ? makeSecret(held.kind, random) : null;
      const secret = form.secret ?? ours;
      if (secret === null)
        throw takesSecret(held.kind)
          ? invalidField('secret', 'Paste the new secret that the shop shows.')
          : new AppError('domain_rule', 'Such a shop has no secret.');
      await tx
        .updateTable('shop_connections')
        .set({
          secret: this.#seal(secret),
          previous_secret: sql`secret`,
          previous_until: sql`case when secret is not null then ${until}::timestamptz end`,
          ...untroubled,
        })
        .where('developer_id', '=', caller.accountId)
        .where('id', '=', id)
        .execute();
      await this.#audit(tx, caller, 'shop_secret_rotated', id, held.name);
      return ours;
    });
    const shop = await this.get(caller.accountId, id);
    return made === null ? { shop } : { shop, secret: made };
  }

  /**
   * Keeps what opens the shop's API, once that has answered to it; what waited for it is worked on now. A part that is left out stays.
   * @throws {AppError} not_found; invalid_request for what the shop refuses; unavailable while it can't be asked.
   */
  async open(caller: Principal, id: string, form: ShopCredentialsForm): Promise<ShopView> {
    const { db, limits, secrets } = this.#deps;
    const { accountId } = caller;
    await limits.take(policies.shop_changes, accountId);
    const before = await this.#sealedOf(accountId, id);
    const connector = connectors[before.kind].api;
    if (!connector) throw new AppError('domain_rule', 'Such a shop has no API that is asked for anything.');
    const known = before.credentials ? openCredentials(secrets, before.credentials) : {};
    const credentials = { ...known, ...given(form) };
    const missing = connector.needs.find((name) => !credentials[name]);
    if (missing) throw invalidField(missing, 'Such a shop needs it.');
    const sealed = secrets.seal(JSON.stringify(credentials), CREDENTIALS_PURPOSE);
    await this.#probe({ ...before, credentials: sealed }, form);
    await db.work({ tx: true }, async (tx) => {
      await lockAccount(tx, caller);
      const held = await holdShop(tx, accountId, id).select('name').executeTakeFirst();
      if (!held) throw notFound('Shop');
      await tx
        .updateTable('shop_connections')
        .set({ credentials: sealed, ...untroubled })
        .where('developer_id', '=', accountId)
        .where('id', '=', id)
        .execute();
      await this.#requeue(tx, accountId, id);
      await this.#audit(tx, caller, 'shop_changed', id, held.name);
    });
    return this.get(accountId, id);
  }

  /** Forgets what opens its API. */
  async close(caller: Principal, id: string): Promise<ShopView> {
    await this.#switch(caller, id, async () => ({ credentials: null }));
    return this.get(caller.accountId, id);
  }

  /** Compares the shop's own list with what came, soon. @throws {AppError} not_found; domain_rule where nothing opens its API. */
  async reconcile(caller: Principal, id: string): Promise<ShopView> {
    const { db, jobs, limits } = this.#deps;
    const { accountId } = caller;
    await limits.take(policies.shop_changes, accountId);
    const shop = await this.#sealedOf(accountId, id);
    if (!connectors[shop.kind].api?.changes)
      throw new AppError('domain_rule', 'Such a shop has no list of orders that could be compared.');
    if (!shop.credentials) throw new AppError('domain_rule', 'Enter what opens the shop’s API first.');
    await db.work({ tx: true }, (tx) => jobs.enqueue(tx, reconcileJob, { accountId, shopId: id }));
    return this.get(accountId, id);
  }

  async #sealedOf(accountId: string, id: string) {
    const found = await this.#deps.db
      .selectFrom('shop_connections')
      .select(['kind', 'mode', 'credentials'])
      .where('developer_id', '=', accountId)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!found) throw notFound('Shop');
    return found;
  }

  async #probe(shop: Parameters<typeof apiOf>[1], form: ShopCredentialsForm): Promise<void> {
    const opened = apiOf(this.#deps, shop, PROBE);
    if (!opened) throw new Error('credentials that lack a part');
    try {
      await opened.connector.probe(opened.api);
    } catch (error) {
      const [first = 'key'] = Object.keys(given(form)) as CredentialName[];
      const blamed = error instanceof Error && error.message.includes('address') && form.address ? 'address' : first;
      if (error instanceof ShopRefuses) throw invalidField(blamed, error.message);
      if (error instanceof ShopAway) throw new AppError('unavailable', error.message, { retryAfter: 30 });
      throw error;
    }
  }

  /** Queues work on whatever waits. */
  async #requeue(tx: ShopsHandle, accountId: string, id: string): Promise<void> {
    const waiting = await tx
      .selectFrom('shop_deliveries')
      .select('order_key')
      .distinct()
      .where('developer_id', '=', accountId)
      .where('connection_id', '=', id)
      .where('state', '=', 'received')
      .where('order_key', 'is not', null)
      .execute();
    const works = waiting.map(({ order_key }) => ({
      accountId,
      shopId: id,
      orderKey: order_key as string,
      bulk: true as const,
    }));
    await this.#deps.jobs.enqueueAll(tx, orderJob, works);
  }

  /** What comes is kept and waits. */
  async pause(caller: Principal, id: string): Promise<ShopView> {
    await this.#switch(caller, id, async () => ({ state: 'off' as const }));
    return this.get(caller.accountId, id);
  }

  /** Whatever came in the meantime is worked on now. */
  async resume(caller: Principal, id: string): Promise<ShopView> {
    await this.#switch(caller, id, async (tx) => {
      await this.#requeue(tx, caller.accountId, id);
      return { state: sql<'active' | 'attention'>`case when trouble is null then 'active' else 'attention' end` };
    });
    return this.get(caller.accountId, id);
  }

  async #switch(
    caller: Principal,
    id: string,
    to: (
      tx: ShopsHandle,
    ) => Promise<{ state: ShopView['state'] | ReturnType<typeof sql<'active' | 'attention'>> } | { credentials: null }>,
  ): Promise<void> {
    await this.#deps.db.work({ tx: true }, async (tx) => {
      await lockAccount(tx, caller);
      const held = await holdShop(tx, caller.accountId, id).select('name').executeTakeFirst();
      if (!held) throw notFound('Shop');
      await tx
        .updateTable('shop_connections')
        .set(await to(tx))
        .where('developer_id', '=', caller.accountId)
        .where('id', '=', id)
        .execute();
      await this.#audit(tx, caller, 'shop_changed', id, held.name);
    });
  }

  #audit(tx: ShopsHandle, caller: Principal, action: ShopAction, id: string, name: string): Promise<void> {
    return recordAudit(tx, caller.accountId, { action, at: this.#deps.clock.now(), detail: name, objectId: id });
  }

  #seal(secret: string): Buffer {
    return this.#deps.secrets.seal(secret, SECRET_PURPOSE);
  }

  #open(sealed: Uint8Array): string {
    return this.#deps.secrets.open(Buffer.from(sealed), SECRET_PURPOSE).toString();
  }

  /** Where customers of a developer look for an order; a reseller has no page. */
  async #orderPage(accountId: string): Promise<string | null> {
    const { db, redeemUrl } = this.#deps;
    const account = await db.selectFrom('users').select('role').where('id', '=', accountId).executeTakeFirst();
    return account?.role === 'developer' ? redeemUrl(db, accountId) : null;
  }

  #view(accountId: string, row: ShopRow, page: string | null): ShopView {
    const { token, previous_until, delivering, ...rest } = row;
    const rotating = previous_until !== null && previous_until > this.#deps.clock.now();
    return {
      ...rest,
      address: addressOf(this.#deps.publicUrl, accountId, token),
      rotates_until: rotating ? previous_until : null,
      delivery: delivering,
      order_page: page && orderPageOf(page, row.kind),
    };
  }
}

/** What a shop puts in place of the number of an order, in a link that it shows its customer. */
const PLACEHOLDERS: Partial<Record<ShopKind, string>> = {
  stripe: '{CHECKOUT_SESSION_ID}',
  lemonsqueezy: '[order_identifier]',
};

/** As it is to be pasted, with the shop’s own brackets. */
const orderPageOf = (page: string, kind: ShopKind): string =>
  `${page}${page.includes('?') ? '&' : '?'}order=${PLACEHOLDERS[kind] ?? ''}`;

/** Where a shop sends what it reports. */
export const addressOf = (publicUrl: string, accountId: string, token: string): string =>
  `${publicUrl}/api/shop-hooks/${accountId}/${token}`;

const untroubled = {
  trouble: null,
  state: sql<'active' | 'off'>`case when state = 'off' then 'off' else 'active' end`,
};

/** Nothing opens it, and nothing is opened by it. */
const closed = {
  state: 'off' as const,
  secret: null,
  previous_secret: null,
  previous_until: null,
  credentials: null,
};

/** An order without its customer. */
export const nobody = {
  email: null,
  email_as_sold: null,
  email_key: null,
  first_name: null,
  last_name: null,
  note: null,
  pickup_code: null,
};

/** What a form has. */
const given = <Form extends object>(form: Form) =>
  Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined)) as Form;

function refuseSecret(kind: ShopKind, secret: string | undefined): void {
  if (secret === undefined) return;
  if (!takesSecret(kind)) throw invalidField('secret', 'Such a shop has no secret.');
  if (kind === 'other') throw invalidField('secret', 'We make the secret. Leave it out.');
}
