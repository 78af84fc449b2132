import { lockAccount } from '#features/accounts';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Random } from '#platform/random.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { ShopAway, ShopRefuses } from '../connectors/api.ts';
import { connectors } from '../connectors/index.ts';
import type { CredentialName, Credentials } from '../connectors/port.ts';
import { limits as policies } from '../limits.ts';
import { reconcileJob } from '../queue/order-job.ts';
import { apiOf, type FetchDependencies, openCredentials, subscribed } from '../reconcile/fetching.ts';
import { CREDENTIALS_PURPOSE } from '../sealed.ts';
import type { ShopsDb } from '../tables.ts';
import { addressOf } from './address.ts';
import { holdShop } from './connections.queries.ts';
import type { ShopCredentialsForm } from './connections.schemas.ts';
import { scheduleFarewell } from './farewell.ts';
import { auditShop, given, noTrouble, readRefundsAgain, requeueShop, withTrouble } from './shop-changes.ts';

/** Somebody waits for it. */
const PROBE = { ms: 12_000, most: 12 };

interface Dependencies extends FetchDependencies {
  db: ShopsDb;
  clock: Clock;
  random: Random;
  secrets: Secrets;
  limits: RateLimits;
  jobs: Jobs;
  publicUrl: string;
}

/** Credentials of shops' APIs, which are asked for what their reports leave out. */
export class ShopApis {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Keeps what opens the shop's API, once that has answered to it; what waited for it is worked on now. A part that is left out stays.
   * @throws {AppError} not_found; invalid_request for what the shop refuses; unavailable while it can't be asked.
   */
  async open(caller: Principal, id: string, form: ShopCredentialsForm): Promise<void> {
    const { db, clock, jobs, limits, secrets, publicUrl } = this.#deps;
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
    const address = addressOf(publicUrl, accountId, before.token);
    const refused = await this.#probe({ ...before, credentials: sealed }, form, address);
    await db.work({ tx: true }, async (tx) => {
      await lockAccount(tx, caller);
      const held = await holdShop(tx, accountId, id).select(['kind', 'name', 'credentials']).executeTakeFirst();
      if (!held) throw notFound('Shop');
      const isOther = held.credentials !== null && !this.#opensTheSame(held.credentials, credentials);
      if (isOther) await scheduleFarewell(this.#deps, tx, { accountId, shopId: id }, held);
      await tx
        .updateTable('shop_connections')
        // it may be of another account, whose list has other pages
        .set({ credentials: sealed, cursor: null, ...(refused === null ? noTrouble : withTrouble(refused)) })
        .where('developer_id', '=', accountId)
        .where('id', '=', id)
        .execute();
      await readRefundsAgain(tx, accountId, id);
      await requeueShop(tx, jobs, accountId, id);
      await auditShop(tx, caller, { action: 'shop_changed', at: clock.now(), id, name: held.name });
    });
  }

  /** Forgets what opens its API, once what the shop was asked by it to send here has ended. */
  async close(caller: Principal, id: string): Promise<void> {
    const { db, clock } = this.#deps;
    const { accountId } = caller;
    await db.work({ tx: true }, async (tx) => {
      await lockAccount(tx, caller);
      const held = await holdShop(tx, accountId, id).select(['kind', 'name', 'credentials']).executeTakeFirst();
      if (!held) throw notFound('Shop');
      await tx
        .updateTable('shop_connections')
        .set({ credentials: null })
        .where('developer_id', '=', accountId)
        .where('id', '=', id)
        .execute();
      await scheduleFarewell(this.#deps, tx, { accountId, shopId: id }, held);
      await auditShop(tx, caller, { action: 'shop_changed', at: clock.now(), id, name: held.name });
    });
  }

  /** Compares the shop's own list with what came, soon. @throws {AppError} not_found; domain_rule where nothing opens its API. */
  async reconcile(caller: Principal, id: string): Promise<void> {
    const { db, jobs, limits } = this.#deps;
    const { accountId } = caller;
    await limits.take(policies.shop_changes, accountId);
    const shop = await this.#sealedOf(accountId, id);
    if (!connectors[shop.kind].api?.changes)
      throw new AppError('domain_rule', 'Such a shop has no list of orders that could be compared.');
    if (!shop.credentials) throw new AppError('domain_rule', 'Enter what opens the shop’s API first.');
    await db.work({ tx: true }, (tx) => jobs.enqueue(tx, reconcileJob, { accountId, shopId: id }));
  }

  #opensTheSame(sealed: Uint8Array, credentials: Credentials): boolean {
    const before = openCredentials(this.#deps.secrets, sealed);
    return Object.keys({ ...before, ...credentials }).every(
      (name) => before[name as CredentialName] === credentials[name as CredentialName],
    );
  }

  async #sealedOf(accountId: string, id: string) {
    const found = await this.#deps.db
      .selectFrom('shop_connections')
      .select(['kind', 'mode', 'credentials', 'token'])
      .where('developer_id', '=', accountId)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!found) throw notFound('Shop');
    return found;
  }

  /** @returns why the shop does not send here what its webhook leaves out, which its list has all the same. */
  async #probe(shop: Parameters<typeof apiOf>[1], form: ShopCredentialsForm, address: string): Promise<string | null> {
    const opened = apiOf(this.#deps, shop, PROBE);
    if (!opened) throw new Error('credentials that lack a part');
    try {
      await opened.connector.probe(opened.api);
      return await subscribed(opened, address);
    } catch (error) {
      const [first = 'key'] = Object.keys(given(form)) as CredentialName[];
      const blamed = error instanceof Error && error.message.includes('address') && form.address ? 'address' : first;
      if (error instanceof ShopRefuses) throw invalidField(blamed, error.message);
      if (error instanceof ShopAway) throw new AppError('unavailable', error.message, { retryAfter: 30 });
      throw error;
    }
  }
}
