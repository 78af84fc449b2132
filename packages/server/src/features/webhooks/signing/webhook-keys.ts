import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { LookupCache } from '../../../platform/lookup-cache.ts';
import type { Random } from '../../../platform/random.ts';
import type { Secrets } from '../../../platform/secrets.ts';
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
}

interface SigningKey {
  kid: string;
  /** The raw 32 bytes. */
  publicKey: Buffer;
  privateKey: KeyObject;
}

/** The key pairs of `v1a` signatures, one current one per account. */
export class WebhookKeys {
  readonly #deps: Dependencies;
  readonly #known: LookupCache<SigningKey>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#known = new LookupCache({ clock: deps.clock });
  }

  /** The account's key; the first one is made when it is first needed. */
  current(accountId: string): Promise<SigningKey> {
    return this.#known.get(accountId, async () => {
      const row = (await this.#row(accountId)) ?? (await this.#make(accountId));
      const der = this.#deps.secrets.open(Buffer.from(row.private_key), KEY_PURPOSE);
      return {
        kid: row.id,
        publicKey: Buffer.from(row.public_key),
        privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }),
      };
    });
  }

  /** The public keys as JWKs, also those of the past; null for an account that does not exist. */
  async jwks(accountId: string) {
    const rows = await this.#deps.db.query<{ id: string | null; public_key: Buffer | null }>(
      `select k.id, k.public_key from users u left join webhook_keys k on k.developer_id = u.id
       where u.id = $1 and u.deleted_at is null order by k.id desc limit 100`,
      [accountId],
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

  async #row(accountId: string): Promise<Row | undefined> {
    const [row] = await this.#deps.db.query<Row>(
      'select id, public_key, private_key from webhook_keys where developer_id = $1 and retired_at is null',
      [accountId],
    );
    return row;
  }

  async #make(accountId: string): Promise<Row> {
    const { db, clock, random, secrets } = this.#deps;
    const pair = await makePair('ed25519');
    const raw = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x as string, 'base64url');
    const der = pair.privateKey.export({ format: 'der', type: 'pkcs8' });
    // of several processes that make one at once, one wins; the others read its key
    await db.query(
      `insert into webhook_keys (id, developer_id, public_key, private_key, created_at) values ($1, $2, $3, $4, $5)
       on conflict (developer_id) where retired_at is null do nothing`,
      [random.id(), accountId, raw, secrets.seal(der, KEY_PURPOSE), clock.now()],
    );
    const row = await this.#row(accountId);
    if (!row) throw new Error('an account without a webhook key');
    return row;
  }
}
