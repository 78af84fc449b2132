import { type Selectable, sql } from 'kysely';
import { lockAccount } from '#features/accounts';
import { recordAudit } from '#features/audit';
import { recordWebhook } from '#features/webhooks';
import type { Principal } from '#platform/access/access.ts';
import { LookupCache } from '#platform/caches/lookup-cache.ts';
import { WriteBehind } from '#platform/caches/write-behind.ts';
import { type Clock, DAY, MINUTE } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Tables } from '#platform/db/tables.ts';
import { AppError, notFound } from '#platform/errors.ts';
import type { Logger } from '#platform/log.ts';
import type { Random } from '#platform/random.ts';
import { looksLikeCredential, newCredential } from '#platform/secrets/credentials.ts';
import { type Secrets, sha256 } from '#platform/secrets/secrets.ts';
import { KeyUsage } from './key-usage.ts';
import type { PluginKeyView, RotateKeyBody, UpdateKeyBody } from './plugin-keys.schemas.ts';
import { type PluginKeysDb, type PluginKeysHandle, tables } from './tables.ts';

const PREFIX = 'tnr_plg_';
const PURPOSE = 'plugin-key';
const MOST = 100;

interface Dependencies {
  db: PluginKeysDb;
  clock: Clock;
  random: Random;
  secrets: Secrets;
  log: Logger;
}

type KeyAction = 'key_created' | 'key_changed' | 'key_rotated' | 'key_revealed' | 'key_deleted';

interface NewKey {
  plaintext: string;
  key: PluginKeyView;
}

const byHash = tables.named('by_hash', (begin, hash: Buffer, now: Date) =>
  begin
    .selectFrom('plugin_keys')
    // only a test key may be answered `active` for a test serial
    .select(['id', 'developer_id', 'is_test'])
    .where('key_hash', '=', hash)
    .where('is_active', 'is', true)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)])),
);
type KnownKey = Awaited<ReturnType<typeof byHash>>[number];

type Key = Selectable<Tables['plugin_keys']>;

/** The credentials that plugin binaries carry. */
export class PluginKeys {
  readonly #deps: Dependencies;
  readonly #used: WriteBehind<Date>;
  readonly #known: LookupCache<KnownKey | undefined>;
  readonly usage: KeyUsage;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.usage = new KeyUsage(deps);
    this.#known = new LookupCache({ clock: deps.clock, lifetime: 500 });
    this.#used = new WriteBehind(
      MINUTE,
      async (notes) => {
        await sql`update plugin_keys k set last_used_at = greatest(k.last_used_at, n.at)
          from unnest(${[...notes.keys()]}::uuid[], ${[...notes.values()]}::timestamptz[]) as n (id, at)
          where k.id = n.id`.execute(deps.db);
      },
      (error) => deps.log.warn({ err: error }, 'the last use of plugin keys could not be noted'),
    );
  }

  /** @param staleDays only those unused for this long. */
  async list(developerId: string, staleDays?: number): Promise<PluginKeyView[]> {
    const now = this.#deps.clock.now();
    const cutoff = new Date(now.getTime() - (staleDays ?? 0) * DAY);
    const rows = await this.#deps.db
      .selectFrom('plugin_keys')
      .selectAll()
      .where('developer_id', '=', developerId)
      // one that was never used is as old as it is
      .$if(staleDays !== undefined, (all) =>
        all.where((eb) => eb(eb.fn.coalesce('last_used_at', 'created_at'), '<', cutoff)),
      )
      .orderBy('id', 'desc')
      .limit(MOST)
      .execute();
    return rows.map((key) => view(key, now));
  }

  /** @param id a repeat with the same id gets the key that is there. */
  async create(caller: Principal, id: string, form: { label: string; is_test: boolean }): Promise<NewKey> {
    return this.#deps.db.work({ tx: true }, async (tx) => {
      // one at a time, or two concurrent calls could both create the hundredth key
      await lockAccount(tx, caller);
      const before = await this.#madeBefore(tx, caller.accountId, id);
      if (before) return before;
      await this.#audit(tx, caller.accountId, 'key_created', id, form.label);
      return this.#make(tx, caller.accountId, id, form);
    });
  }

  /**
   * Creates a successor; the old key keeps working until the grace period ends. Of concurrent rotations one wins.
   * @param id of the successor; as in {@link create}.
   */
  async rotate(caller: Principal, oldId: string, id: string, form: RotateKeyBody): Promise<NewKey> {
    const developerId = caller.accountId;
    const now = this.#deps.clock.now();
    const made = await this.#deps.db.work({ tx: true }, async (tx) => {
      await lockAccount(tx, caller);
      const before = await this.#madeBefore(tx, developerId, id);
      if (before) return before;
      const old = await findKey(tx, developerId, oldId).executeTakeFirst();
      if (!old) throw notFound('Plugin key');
      if (old.successor_id) throw new AppError('conflict', 'This key has already been rotated. Rotate its successor.');
      if (!old.is_active || isOver(old, now)) throw new AppError('domain_rule', 'This key no longer works.');
      const expiresAt = new Date(now.getTime() + form.grace_seconds * 1000);
      await tx
        .updateTable('plugin_keys')
        .set({ successor_id: id, expires_at: expiresAt })
        .where('developer_id', '=', developerId)
        .where('id', '=', oldId)
        .execute();
      const label = form.label ?? old.label;
      const data = { key_id: oldId, successor_id: id, label, expires_at: expiresAt };
      await recordWebhook(tx, developerId, { type: 'key.rotated', at: now, data });
      await this.#audit(tx, developerId, 'key_rotated', oldId, old.label);
      return this.#make(tx, developerId, id, { label, is_test: old.is_test });
    });
    this.#known.clear();
    return made;
  }

  /** Renames, enables or disables a key: effective here immediately, in other processes within half a second. */
  async update(developerId: string, id: string, form: UpdateKeyBody): Promise<PluginKeyView> {
    const key = await this.#deps.db.work({ tx: true }, async (tx) => {
      const found = await tx
        .updateTable('plugin_keys')
        .set({ label: form.label, is_active: form.is_active })
        .where('developer_id', '=', developerId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (!found) throw notFound('Plugin key');
      const state = form.is_active === undefined ? '' : form.is_active ? ' (switched on)' : ' (switched off)';
      await this.#audit(tx, developerId, 'key_changed', id, `${found.label}${state}`);
      return found;
    });
    this.#known.clear();
    return view(key, this.#deps.clock.now());
  }

  /** Shows the secret again, and writes down who looked. */
  async reveal(caller: Principal, id: string, ip: string): Promise<string> {
    const { db, clock, random } = this.#deps;
    return db.work({ tx: true }, async (tx) => {
      // held, or it could be deleted before this is written down
      const key = await heldKey(tx, caller.accountId, id);
      if (!key) throw notFound('Plugin key');
      await tx
        .insertInto('plugin_key_reveals')
        .values({
          id: random.id(),
          key_id: id,
          label: key.label,
          developer_id: caller.accountId,
          ip,
          revealed_at: clock.now(),
        })
        .execute();
      await this.#audit(tx, caller.accountId, 'key_revealed', id, key.label);
      return this.#open(key);
    });
  }

  /**
   * Never shows the secrets of existing keys again, because somebody else may know them. Plugins that carry them keep
   * working: customers have already installed them.
   */
  async endReveals(tx: Sql, developerId: string): Promise<void> {
    await tables
      .in(tx)
      .updateTable('plugin_keys')
      .set({ sealed: Buffer.alloc(0) })
      .where('developer_id', '=', developerId)
      .execute();
  }

  /** Deletes a key, which refuses plugins with it. A key that it replaced keeps its end, and can be rotated again. */
  async delete(developerId: string, id: string): Promise<void> {
    await this.#deps.db.work({ tx: true }, async (tx) => {
      const row = await tx
        .deleteFrom('plugin_keys')
        .where('developer_id', '=', developerId)
        .where('id', '=', id)
        .returning('label')
        .executeTakeFirst();
      if (!row) throw notFound('Plugin key');
      await this.#audit(tx, developerId, 'key_deleted', id, row.label);
      await tx
        .updateTable('plugin_keys')
        .set({ successor_id: null })
        .where('developer_id', '=', developerId)
        .where('successor_id', '=', id)
        .execute();
    });
    // effective here immediately, in other processes within half a second
    this.#known.clear();
  }

  /** The key behind a credential, noted as used; undefined when it is unknown, inactive or expired. */
  async find(credential: string): Promise<KnownKey | undefined> {
    if (!looksLikeCredential(PREFIX, credential)) return undefined;
    const { db, clock } = this.#deps;
    const key = await this.#known.get(credential, async () => {
      return (await byHash(db, sha256(credential), clock.now()))[0];
    });
    if (key) this.#used.note(key.id, clock.now());
    return key;
  }

  async close(): Promise<void> {
    await Promise.all([this.#used.close(), this.usage.close()]);
  }

  #audit(tx: Sql, developerId: string, action: KeyAction, id: string, label: string): Promise<void> {
    return recordAudit(tx, developerId, { action, at: this.#deps.clock.now(), detail: label, objectId: id });
  }

  /** The key that an earlier attempt of the same request has made. */
  async #madeBefore(tx: PluginKeysHandle, developerId: string, id: string): Promise<NewKey | undefined> {
    const key = await findKey(tx, developerId, id).executeTakeFirst();
    return key ? { plaintext: this.#open(key), key: view(key, this.#deps.clock.now()) } : undefined;
  }

  /** @throws {AppError} not_found when the secret is never shown again. */
  #open(key: Key): string {
    if (key.sealed.length === 0) {
      throw new AppError('not_found', 'This secret can no longer be shown. Rotate the key to get a new one.');
    }
    return this.#deps.secrets.open(Buffer.from(key.sealed), PURPOSE).toString();
  }

  async #make(
    tx: PluginKeysHandle,
    developerId: string,
    id: string,
    { label, is_test }: { label: string; is_test: boolean },
  ): Promise<NewKey> {
    const { clock, random, secrets } = this.#deps;
    const counted = await tx
      .selectFrom('plugin_keys')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('developer_id', '=', developerId)
      .executeTakeFirstOrThrow();
    if (counted.n >= MOST) {
      throw new AppError('domain_rule', `You already have ${MOST} plugin keys. Delete some first.`);
    }
    const plaintext = newCredential(PREFIX, random);
    const now = clock.now();
    const key = await tx
      .insertInto('plugin_keys')
      .values({
        id,
        developer_id: developerId,
        label,
        is_test,
        key_hash: sha256(plaintext),
        sealed: secrets.seal(plaintext, PURPOSE),
        hint: plaintext.slice(-4),
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { plaintext, key: view(key, now) };
  }
}

const findKey = (tx: PluginKeysHandle, developerId: string, id: string) =>
  tx.selectFrom('plugin_keys').selectAll().where('developer_id', '=', developerId).where('id', '=', id);

/**
 * Locks a key, so that it is not deleted until the transaction ends. It is joined with its reveals, or every machine
 * would be asked: see docs/scaling.md.
 */
async function heldKey(tx: PluginKeysHandle, developerId: string, id: string): Promise<Key | undefined> {
  const { rows } = await sql<Key>`select k.* from plugin_keys k
    left join plugin_key_reveals r on r.developer_id = ${developerId} and r.id = ${id}
    where k.developer_id = ${developerId} and k.id = ${id} for key share of k`.execute(tx);
  return rows[0];
}

function isOver(key: Key, now: Date): boolean {
  return key.expires_at !== null && key.expires_at <= now;
}

function view(key: Key, now: Date): PluginKeyView {
  return {
    id: key.id,
    label: key.label,
    isActive: key.is_active,
    is_test: key.is_test,
    createdAt: key.created_at,
    lastUsedAt: key.last_used_at,
    hint: key.hint,
    can_reveal: key.sealed.length > 0,
    expires_at: key.expires_at,
    successor_id: key.successor_id,
    is_expiring: key.expires_at !== null && !isOver(key, now),
  };
}
