import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { LookupCache } from '#platform/caches/lookup-cache.ts';
import { type Clock, SECOND } from '#platform/clock.ts';
import type { Columns } from '#platform/db/tables.ts';
import type { Random } from '#platform/random.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { KEY_PURPOSE } from '../sealed.ts';
import type { WebhooksDb, WebhooksHandle } from '../tables.ts';

const makePair = promisify(generateKeyPair);

interface Dependencies {
  db: WebhooksDb;
  clock: Clock;
  random: Random;
  secrets: Secrets;
}

type Row = Columns<'webhook_keys', 'id' | 'public_key' | 'private_key' | 'retired_at'>;

interface SigningKey {
  kid: string;
  /** The raw 32 bytes. */
  publicKey: Buffer;
  privateKey: KeyObject;
  /** It signs beside the current one until then; null: it is the current one. */
  until: Date | null;
}

/** The key pairs of `v1a` signatures: one current one per account, and during a rotation the one before it. */
export class WebhookKeys {
  readonly #deps: Dependencies;
  readonly #known: LookupCache<[SigningKey, ...SigningKey[]]>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    // another process may rotate: what it retires signs for an hour at least
    this.#known = new LookupCache({ clock: deps.clock, lifetime: SECOND });
  }

  /** The account's keys that sign at this time, the current one first; it is made when it is first needed. */
  async signing(accountId: string): Promise<[SigningKey, ...SigningKey[]]> {
    const now = this.#deps.clock.now();
    const [current, ...before] = await this.#known.get(accountId, () => this.#load(accountId));
    return [current, ...before.filter(({ until }) => until !== null && until > now)];
  }

  /** Makes the next key, in the caller's transaction; the one before it signs beside it until then. */
  async rotate(tx: WebhooksHandle, accountId: string, until: Date): Promise<void> {
    const now = this.#deps.clock.now();
    await tx
      .updateTable('webhook_keys')
      .set({ retired_at: sql<Date>`case when retired_at is null then ${until}::timestamptz else ${now} end` })
      .where('developer_id', '=', accountId)
      .where(({ eb, or }) => or([eb('retired_at', 'is', null), eb('retired_at', '>', now)]))
      .execute();
    await this.#insert(tx, accountId);
  }

  /** After a rotation that has been committed. */
  forget(accountId: string): void {
    this.#known.forget(accountId);
  }

  /** The public keys that verify what is signed now, as JWKs; null for an account that does not exist. */
  async jwks(accountId: string) {
    const { db, clock } = this.#deps;
    const account = await db
      .selectFrom('users')
      .select('id')
      .where('id', '=', accountId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!account) return null;
    const rows = await this.#verifying(accountId, clock.now()).select(['id', 'public_key']).limit(10).execute();
    return rows.map(({ id, public_key }) => ({
      kty: 'OKP' as const,
      crv: 'Ed25519' as const,
      x: Buffer.from(public_key).toString('base64url'),
      kid: id,
      alg: 'EdDSA' as const,
      use: 'sig' as const,
    }));
  }

  /** The keys that sign at a time, the current one first. */
  #verifying(accountId: string, now: Date) {
    return this.#deps.db
      .selectFrom('webhook_keys')
      .where('developer_id', '=', accountId)
      .where(({ eb, or }) => or([eb('retired_at', 'is', null), eb('retired_at', '>', now)]))
      .orderBy('retired_at', (by) => by.desc().nullsFirst());
  }

  async #load(accountId: string): Promise<[SigningKey, ...SigningKey[]]> {
    let rows = await this.#rows(accountId);
    if (rows[0]?.retired_at !== null) {
      // one of several that make one at once wins; the others read its key
      await this.#insert(this.#deps.db, accountId);
      rows = await this.#rows(accountId);
    }
    const [current, ...before] = rows;
    if (!current) throw new Error('an account without a webhook key');
    return [this.#open(current), ...before.map((row) => this.#open(row))];
  }

  #open(row: Row): SigningKey {
    const der = this.#deps.secrets.open(Buffer.from(row.private_key), KEY_PURPOSE);
    return {
      kid: row.id,
      publicKey: Buffer.from(row.public_key),
      privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }),
      until: row.retired_at,
    };
  }

  /** The current key first. One whose private half was lost signs nothing. */
  #rows(accountId: string): Promise<Row[]> {
    return this.#verifying(accountId, this.#deps.clock.now())
      .select(['id', 'public_key', 'private_key', 'retired_at'])
      .where(sql<boolean>`length(private_key) > 0`)
      .limit(2)
      .execute();
  }

  async #insert(handle: WebhooksHandle, accountId: string): Promise<void> {
    const { clock, random, secrets } = this.#deps;
    const pair = await makePair('ed25519');
    const raw = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x as string, 'base64url');
    const der = pair.privateKey.export({ format: 'der', type: 'pkcs8' });
    await handle
      .insertInto('webhook_keys')
      .values({
        id: random.id(),
        developer_id: accountId,
        public_key: raw,
        private_key: secrets.seal(der, KEY_PURPOSE),
        created_at: clock.now(),
      })
      .onConflict((on) => on.column('developer_id').where('retired_at', 'is', null).doNothing())
      .execute();
  }
}
