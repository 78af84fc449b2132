import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { LookupCache } from '#platform/caches/lookup-cache.ts';
import type { Clock } from '#platform/clock.ts';
import type { Random } from '#platform/random.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { type LicensingDb, tables } from '../tables.ts';
import type { Signer } from './answer-signature.ts';
import { jwkOf, privateKeyOf, publicKeyOf, type TokenKey } from './license-token.ts';

const makePair = promisify(generateKeyPair);
const PURPOSE = 'signing-key';

const keysOf = tables.named('signing_keys', (begin, developerId: string) =>
  begin
    .selectFrom('signing_keys')
    .select(['id', 'public_key', 'private_key', 'retired_at'])
    .where('developer_id', '=', developerId),
);
type Row = Awaited<ReturnType<typeof keysOf>>[number];

interface Ring {
  current: TokenKey;
  publicKeys: Map<string, KeyObject>;
}

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  random: Random;
  secrets: Secrets;
}

/** The Ed25519 keys of the developers. Keys never change once made, so they are remembered; new ones are looked up. */
export class SigningKeys {
  readonly #deps: Dependencies;
  readonly #rings: LookupCache<Ring>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#rings = new LookupCache({ clock: deps.clock });
  }

  /** The developer's keys; the first one is made when it is first needed. */
  ring(developerId: string): Promise<Ring> {
    return this.#rings.get(developerId, () => this.#load(developerId));
  }

  /** The key that signs a developer's answers now. */
  async signerOf(developerId: string): Promise<Signer> {
    const { current } = await this.ring(developerId);
    return { ...current, now: this.#deps.clock.now() };
  }

  /** The public keys as JWKs; null for a developer who does not exist. */
  async jwks(developerId: string) {
    const { db } = this.#deps;
    const developer = await db
      .selectFrom('users')
      .select('id')
      .where('id', '=', developerId)
      .where('role', '=', 'developer')
      .executeTakeFirst();
    if (!developer) return null;
    const keys = await db
      .selectFrom('signing_keys')
      .select(['id', 'public_key'])
      .where('developer_id', '=', developerId)
      .orderBy('id', 'desc')
      .limit(100)
      .execute();
    return keys.map(({ id, public_key }) => ({
      ...jwkOf(Buffer.from(public_key)),
      kid: id,
      alg: 'EdDSA' as const,
      use: 'sig' as const,
    }));
  }

  async #load(developerId: string): Promise<Ring> {
    const rows = (await this.#rows(developerId)) ?? (await this.#make(developerId));
    const current = rows.find((row) => row.retired_at === null);
    if (!current) throw new Error('a developer without a current signing key');
    const der = this.#deps.secrets.open(Buffer.from(current.private_key), PURPOSE);
    return {
      current: { kid: current.id, privateKey: privateKeyOf(der) },
      publicKeys: new Map(rows.map((row) => [row.id, publicKeyOf(Buffer.from(row.public_key))])),
    };
  }

  async #rows(developerId: string): Promise<Row[] | null> {
    const rows = await keysOf(this.#deps.db, developerId);
    return rows.some((row) => row.retired_at === null) ? rows : null;
  }

  async #make(developerId: string): Promise<Row[]> {
    const { db, clock, random, secrets } = this.#deps;
    const pair = await makePair('ed25519');
    const raw = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x as string, 'base64url');
    const der = pair.privateKey.export({ format: 'der', type: 'pkcs8' });
    // one of several processes that create one concurrently wins; the others read its key
    await db
      .insertInto('signing_keys')
      .values({
        id: random.id(),
        developer_id: developerId,
        public_key: raw,
        private_key: secrets.seal(der, PURPOSE),
        created_at: clock.now(),
      })
      .onConflict((on) => on.column('developer_id').where('retired_at', 'is', null).doNothing())
      .execute();
    return (await this.#rows(developerId)) ?? [];
  }
}
