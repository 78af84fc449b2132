import type { Principal } from '../../platform/access/access.ts';
import { type Clock, MINUTE } from '../../platform/clock.ts';
import { looksLikeCredential, newCredential } from '../../platform/credentials.ts';
import type { Database, Prepared } from '../../platform/db/database.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { Random } from '../../platform/random.ts';
import { type Secrets, sha256 } from '../../platform/secrets.ts';
import { ShortCache } from '../../platform/short-cache.ts';
import { LateNotes } from '../../platform/throttle.ts';
import { PluginKey, PluginKeyReveal } from './plugin-keys.entity.ts';
import type { PluginKeyView } from './plugin-keys.schemas.ts';

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
}

const BY_HASH: Prepared = {
  name: 'plugin_key',
  text: `select id, developer_id from plugin_keys
    where key_hash = $1 and is_active and (expires_at is null or expires_at > $2)`,
};

/** The credentials that plugin binaries carry. */
export class PluginKeys {
  readonly #deps: Dependencies;
  readonly #used: LateNotes<Date>;
  readonly #known: ShortCache<KnownKey>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#known = new ShortCache(deps.clock);
    this.#used = new LateNotes(
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

  async list(developerId: string): Promise<PluginKeyView[]> {
    const rows = await this.#deps.db.orm.em
      .fork()
      .find(PluginKey, { developerId }, { orderBy: { id: 'desc' }, limit: MOST });
    return rows.map(view);
  }

  async create(developerId: string, id: string, label: string): Promise<{ plaintext: string; key: PluginKeyView }> {
    const { db, clock, random, secrets } = this.#deps;
    const plaintext = newCredential(PREFIX, random);
    const key = await db.transaction(async (tx) => {
      // one creation at a time, or two at once could both be the hundredth
      await tx.query('select 1 from users where id = $1 for update', [developerId]);
      if ((await tx.em.count(PluginKey, { developerId })) >= MOST) {
        throw new AppError('domain_rule', `There are ${MOST} plugin keys already. Delete some first.`);
      }
      return tx.em.create(PluginKey, {
        id,
        developerId,
        label,
        keyHash: sha256(plaintext),
        sealed: secrets.seal(plaintext, PURPOSE),
        hint: plaintext.slice(-4),
        createdAt: clock.now(),
      });
    });
    return { plaintext, key: view(key) };
  }

  /** Shows the secret again, and writes down who looked. */
  async reveal(caller: Principal, id: string, ip: string): Promise<string> {
    const { db, clock, random, secrets } = this.#deps;
    return db.transaction(async (tx) => {
      const key = await tx.em.findOne(PluginKey, { id, developerId: caller.userId });
      if (!key) throw notFound('Plugin key');
      tx.em.create(PluginKeyReveal, {
        id: random.id(),
        keyId: id,
        label: key.label,
        userId: caller.userId,
        ip,
        revealedAt: clock.now(),
      });
      return secrets.open(Buffer.from(key.sealed), PURPOSE).toString();
    });
  }

  /** From now on plugins with this key are refused. */
  async delete(developerId: string, id: string): Promise<void> {
    const rows = await this.#deps.db.query('delete from plugin_keys where id = $1 and developer_id = $2 returning id', [
      id,
      developerId,
    ]);
    if (rows.length === 0) throw notFound('Plugin key');
    // here at once, in other processes within half a second
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

  close(): Promise<void> {
    return this.#used.close();
  }
}

function view(key: PluginKey): PluginKeyView {
  return {
    id: key.id,
    label: key.label,
    isActive: key.isActive,
    createdAt: key.createdAt,
    lastUsedAt: key.lastUsedAt ?? null,
    hint: key.hint,
  };
}
