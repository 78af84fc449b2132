import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { LookupCache } from '#platform/caches/lookup-cache.ts';
import { type Clock, SECOND } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import type { Random } from '#platform/random.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { KEY_PURPOSE } from '../sealed.ts';

const makePair = promisify(generateKeyPair);

interface Dependencies {
  db: Database;
  clock: Clock;
  random: Random;
  secrets: Secrets;
}

interface Row {
  id: string;
  public_key: Buffer;
  private_key: Buffer;
  retired_at: Date | null;
}

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
  async rotate(sql: Sql, accountId: string, until: Date): Promise<void> {
    const now = this.#deps.clock.now();
    await sql.query(
      `update webhook_keys set retired_at = case when retired_at is null then $2::timestamptz else $3 end
       where developer_id = $1 and (retired_at is null or retired_at > $3)`,
      [accountId, until, now],
    );
    await this.#insert(sql, accountId);
  }

  /** After a rotation that has been committed. */
  forget(accountId: string): void {
    this.#known.forget(accountId);
  }

  /** The public keys that verify what is signed now, as JWKs; null for an account that does not exist. */
  async jwks(accountId: string) {
    const rows = await this.#deps.db.query<{ id: string | null; public_key: Buffer | null }>(
      `select k.id, k.public_key from users u left join webhook_keys k on k.developer_id = u.id
         and (k.retired_at is null or k.retired_at > $2)
       where u.id = $1 and u.deleted_at is null order by k.retired_at desc nulls first limit 10`,
      [accountId, this.#deps.clock.now()],
    );
    if (rows.length === 0) return null;
    return rows.flatMap(({ id, public_key }) =>
      id && public_key
        ? [
            {
              kty: 'OKP' as const,
              crv: 'Ed25519' as const,
              x: Buffer.from(public_key).toString('base64url'),
              kid: id,
              alg: 'EdDSA' as const,
              use: 'sig' as const,
            },
          ]
        : [],
    );
  }

  async #load(accountId: string): Promise<[SigningKey, ...SigningKey[]]> {
    let rows = await this.#rows(accountId);
    if (rows[0]?.retired_at !== null) {
      // of several that make one at once, one wins; the others read its key
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
    return this.#deps.db.query<Row>(
      `select id, public_key, private_key, retired_at from webhook_keys
       where developer_id = $1 and (retired_at is null or retired_at > $2) and length(private_key) > 0
       order by retired_at desc nulls first limit 2`,
      [accountId, this.#deps.clock.now()],
    );
  }

  async #insert(sql: Sql, accountId: string): Promise<void> {
    const { clock, random, secrets } = this.#deps;
    const pair = await makePair('ed25519');
    const raw = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x as string, 'base64url');
    const der = pair.privateKey.export({ format: 'der', type: 'pkcs8' });
    await sql.query(
      `insert into webhook_keys (id, developer_id, public_key, private_key, created_at) values ($1, $2, $3, $4, $5)
       on conflict (developer_id) where retired_at is null do nothing`,
      [random.id(), accountId, raw, secrets.seal(der, KEY_PURPOSE), clock.now()],
    );
  }
}
