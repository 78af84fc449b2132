import { lockAccount } from '#features/accounts';
import { recordAudit } from '#features/audit';
import { recordWebhook } from '#features/webhooks';
import type { Principal } from '#platform/access/access.ts';
import { LookupCache } from '#platform/caches/lookup-cache.ts';
import { WriteBehind } from '#platform/caches/write-behind.ts';
import { type Clock, DAY, MINUTE } from '#platform/clock.ts';
import type { Database, Prepared, Sql, Tx } from '#platform/db/database.ts';
import { AppError, notFound } from '#platform/errors.ts';
import type { Logger } from '#platform/log.ts';
import type { Random } from '#platform/random.ts';
import { looksLikeCredential, newCredential } from '#platform/secrets/credentials.ts';
import { type Secrets, sha256 } from '#platform/secrets/secrets.ts';
import { KeyUsage } from './key-usage.ts';
import { PluginKey, PluginKeyReveal } from './plugin-keys.entity.ts';
import type { PluginKeyView, RotateKeyBody, UpdateKeyBody } from './plugin-keys.schemas.ts';

const PREFIX = 'tnr_plg_';
const PURPOSE = 'plugin-key';
const MOST = 100;

interface Dependencies {
  db: Database;
  clock: Clock;
  random: Random;
  secrets: Secrets;
  log: Logger;
}

interface KnownKey {
  id: string;
  developer_id: string;
  /** Only such a key may be answered `active` for a test serial. */
  is_test: boolean;
}

type KeyAction = 'key_created' | 'key_changed' | 'key_rotated' | 'key_revealed' | 'key_deleted';

interface NewKey {
  plaintext: string;
  key: PluginKeyView;
}

const BY_HASH: Prepared = {
  name: 'plugin_key',
  text: `select id, developer_id, is_test from plugin_keys
    where key_hash = $1 and is_active and (expires_at is null or expires_at > $2)`,
};

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
        await deps.db.query(
          `update plugin_keys k set last_used_at = greatest(k.last_used_at, n.at)
           from unnest($1::uuid[], $2::timestamptz[]) as n (id, at) where k.id = n.id`,
          [[...notes.keys()], [...notes.values()]],
        );
      },
      (error) => deps.log.warn({ err: error }, 'the last use of plugin keys could not be noted'),
    );
  }

  /** @param staleDays only those unused for this long. */
  async list(developerId: string, staleDays?: number): Promise<PluginKeyView[]> {
    const now = this.#deps.clock.now();
    const cutoff = new Date(now.getTime() - (staleDays ?? 0) * DAY);
    const stale = { $or: [{ lastUsedAt: { $lt: cutoff } }, { lastUsedAt: null, createdAt: { $lt: cutoff } }] };
    const rows = await this.#deps.db.orm.em
      .fork()
      .find(
        PluginKey,
        { developerId, ...(staleDays === undefined ? {} : stale) },
        { orderBy: { id: 'desc' }, limit: MOST },
      );
    return rows.map((key) => view(key, now));
  }

  /** @param id a repeat with the same id gets the key that is there. */
  async create(caller: Principal, id: string, form: { label: string; is_test: boolean }): Promise<NewKey> {
    return this.#deps.db.transaction(async (tx) => {
      // one at a time, or two concurrent calls could both create the hundredth key
      await lockAccount(tx, caller);
      const before = await this.#madeBefore(tx, caller.userId, id);
      if (before) return before;
      await this.#audit(tx, caller.userId, 'key_created', id, form.label);
      return this.#make(tx, caller.userId, id, form);
    });
  }

  /**
   * Creates a successor; the old key keeps working until the grace period ends. Of concurrent rotations one wins.
   * @param id of the successor; as in {@link create}.
   */
  async rotate(caller: Principal, oldId: string, id: string, form: RotateKeyBody): Promise<NewKey> {
    const developerId = caller.userId;
    const now = this.#deps.clock.now();
    const made = await this.#deps.db.transaction(async (tx) => {
      await lockAccount(tx, caller);
      const before = await this.#madeBefore(tx, developerId, id);
      if (before) return before;
      const old = await tx.em.findOne(PluginKey, { id: oldId, developerId });
      if (!old) throw notFound('Plugin key');
      if (old.successorId) throw new AppError('conflict', 'This key has already been rotated. Rotate its successor.');
      if (!old.isActive || isOver(old, now)) throw new AppError('domain_rule', 'This key no longer works.');
      old.successorId = id;
      old.expiresAt = new Date(now.getTime() + form.grace_seconds * 1000);
      const label = form.label ?? old.label;
      const data = { key_id: oldId, successor_id: id, label, expires_at: old.expiresAt };
      await recordWebhook(tx, developerId, { type: 'key.rotated', at: now, data });
      await this.#audit(tx, developerId, 'key_rotated', oldId, old.label);
      return this.#make(tx, developerId, id, { label, is_test: old.isTest });
    });
    this.#known.clear();
    return made;
  }

  /** Renames, enables or disables a key: effective here immediately, in other processes within half a second. */
  async update(developerId: string, id: string, form: UpdateKeyBody): Promise<PluginKeyView> {
    const key = await this.#deps.db.transaction(async (tx) => {
      const found = await tx.em.findOne(PluginKey, { id, developerId });
      if (!found) throw notFound('Plugin key');
      if (form.label !== undefined) found.label = form.label;
      if (form.is_active !== undefined) found.isActive = form.is_active;
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
    return db.transaction(async (tx) => {
      // held, or it could be deleted before this is written down
      await tx.query('select 1 from plugin_keys where id = $1 and developer_id = $2 for key share', [
        id,
        caller.userId,
      ]);
      const key = await tx.em.findOne(PluginKey, { id, developerId: caller.userId });
      if (!key) throw notFound('Plugin key');
      tx.em.create(PluginKeyReveal, {
        id: random.id(),
        keyId: id,
        label: key.label,
        developerId: caller.userId,
        ip,
        revealedAt: clock.now(),
      });
      await this.#audit(tx, caller.userId, 'key_revealed', id, key.label);
      return this.#open(key);
    });
  }

  /**
   * Never shows the secrets of existing keys again, because somebody else may know them. Plugins that carry them keep
   * working: customers have already installed them.
   */
  async endReveals(sql: Sql, developerId: string): Promise<void> {
    await sql.query("update plugin_keys set sealed = '' where developer_id = $1", [developerId]);
  }

  /** From now on plugins with this key are refused. A key that it succeeded keeps its end, and can be rotated again. */
  async delete(developerId: string, id: string): Promise<void> {
    await this.#deps.db.transaction(async (tx) => {
      const [row] = await tx.query<{ label: string }>(
        'delete from plugin_keys where id = $1 and developer_id = $2 returning label',
        [id, developerId],
      );
      if (!row) throw notFound('Plugin key');
      await this.#audit(tx, developerId, 'key_deleted', id, row.label);
      await tx.query('update plugin_keys set successor_id = null where developer_id = $2 and successor_id = $1', [
        id,
        developerId,
      ]);
    });
    // effective here immediately, in other processes within half a second
    this.#known.clear();
  }

  /** The key behind a credential, noted as used; undefined when it is unknown, inactive or expired. */
  async find(credential: string): Promise<KnownKey | undefined> {
    if (!looksLikeCredential(PREFIX, credential)) return undefined;
    const { db, clock } = this.#deps;
    const key = await this.#known.get(credential, async () => {
      return (await db.prepared<KnownKey>(BY_HASH, [sha256(credential), clock.now()]))[0];
    });
    if (key) this.#used.note(key.id, clock.now());
    return key;
  }

  async close(): Promise<void> {
    await Promise.all([this.#used.close(), this.usage.close()]);
  }

  #audit(tx: Tx, developerId: string, action: KeyAction, id: string, label: string): Promise<void> {
    return recordAudit(tx, developerId, { action, at: this.#deps.clock.now(), detail: label, objectId: id });
  }

  /** What an earlier attempt of the same request has made. */
  async #madeBefore(tx: Tx, developerId: string, id: string): Promise<NewKey | undefined> {
    const key = await tx.em.findOne(PluginKey, { id, developerId });
    return key ? { plaintext: this.#open(key), key: view(key, this.#deps.clock.now()) } : undefined;
  }

  /** @throws {AppError} not_found when the secret is never shown again. */
  #open(key: PluginKey): string {
    if (key.sealed.length === 0) {
      throw new AppError('not_found', 'This secret can no longer be shown. Rotate the key to get a new one.');
    }
    return this.#deps.secrets.open(Buffer.from(key.sealed), PURPOSE).toString();
  }

  async #make(
    tx: Tx,
    developerId: string,
    id: string,
    { label, is_test }: { label: string; is_test: boolean },
  ): Promise<NewKey> {
    const { clock, random, secrets } = this.#deps;
    if ((await tx.em.count(PluginKey, { developerId })) >= MOST) {
      throw new AppError('domain_rule', `You already have ${MOST} plugin keys. Delete some first.`);
    }
    const plaintext = newCredential(PREFIX, random);
    const now = clock.now();
    const key = tx.em.create(PluginKey, {
      id,
      developerId,
      label,
      isTest: is_test,
      keyHash: sha256(plaintext),
      sealed: secrets.seal(plaintext, PURPOSE),
      hint: plaintext.slice(-4),
      createdAt: now,
    });
    return { plaintext, key: view(key, now) };
  }
}

function isOver(key: PluginKey, now: Date): boolean {
  return Boolean(key.expiresAt && key.expiresAt <= now);
}

function view(key: PluginKey, now: Date): PluginKeyView {
  return {
    id: key.id,
    label: key.label,
    // a created entity has its default only once it is written
    isActive: key.isActive ?? true,
    is_test: key.isTest,
    createdAt: key.createdAt,
    lastUsedAt: key.lastUsedAt ?? null,
    hint: key.hint,
    can_reveal: key.sealed.length > 0,
    expires_at: key.expiresAt ?? null,
    successor_id: key.successorId ?? null,
    is_expiring: Boolean(key.expiresAt) && !isOver(key, now),
  };
}
