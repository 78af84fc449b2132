import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import { LookupCache } from '#platform/caches/lookup-cache.ts';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { acrossTenants } from '#platform/db/tenant.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import type { Random } from '#platform/random.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { isOwnProduct } from '../own-product.ts';
import { type LicensingDb, tables } from '../tables.ts';
import type { RsaPair } from './keyfile-format.ts';
import { BITS, numbersOf, readPrivatePem } from './product-key-format.ts';

const makePair = promisify(generateKeyPair);
const PURPOSE = 'product-key';

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  random: Random;
  secrets: Secrets;
}

const COLUMNS = ['exponent', 'modulus', 'private_key', 'created_at'] as const;

type Row = Columns<'product_keys', (typeof COLUMNS)[number]>;

const pairOf = tables.named('product_key', (begin, developerId: string, productId: string) =>
  begin
    .selectFrom('product_keys')
    .select(COLUMNS)
    .where('developer_id', '=', developerId)
    .where('product_id', '=', productId),
);

export interface ProductPair extends RsaPair {
  exponent: string;
  createdAt: Date;
}

/** One RSA pair a product, for the key files of stock JUCE and HISE clients. */
export class ProductKeys {
  readonly #deps: Dependencies;
  readonly #pairs: LookupCache<ProductPair | undefined>;
  /** Pairs being made in this process: a key takes a moment, and one is enough. */
  readonly #making = new Map<string, Promise<ProductPair>>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#pairs = new LookupCache({ clock: deps.clock, lifetime: 500 });
  }

  /**
   * The pair of a developer's own product, made when there is none.
   * @throws {AppError} not_found for what is not this developer's.
   */
  async ofDeveloper(developerId: string, productId: string): Promise<ProductPair> {
    await this.#own(developerId, productId);
    return this.ensure(developerId, productId);
  }

  /** Port: without a key pair, no stock plugin of this product can exist. */
  async mayExist(handle: Sql, developerId: string, productId: string): Promise<boolean> {
    return (await pairOf(handle, developerId, productId)).length > 0;
  }

  /** The product's key pair, or undefined when none has been requested yet. */
  find(developerId: string, productId: string): Promise<ProductPair | undefined> {
    return this.#pairs.get(productId, async () => {
      const [row] = await pairOf(this.#deps.db, developerId, productId);
      return row && this.#pairOf(row);
    });
  }

  /** The product's key pair; created off the event loop on first use. */
  async ensure(developerId: string, productId: string): Promise<ProductPair> {
    const known = await this.find(developerId, productId);
    if (known) return known;
    let making = this.#making.get(productId);
    if (!making) {
      making = this.#make(developerId, productId).finally(() => this.#making.delete(productId));
      this.#making.set(productId, making);
    }
    return making;
  }

  /**
   * Installs the developer's own key pair instead of a generated one. Shipped plugins contain the public key, so an
   * existing pair is replaced only on explicit request.
   */
  async import(developerId: string, productId: string, pem: string, replace: boolean): Promise<ProductPair> {
    const { db } = this.#deps;
    await this.#own(developerId, productId);
    const key = readPrivatePem(pem);
    if (typeof key === 'string') throw invalidField('private_key_pem', key);
    const { modulus } = numbersOf(key);
    const used = await db
      .selectFrom('product_keys')
      .select('id')
      .where('modulus', '=', modulus)
      .where('product_id', '<>', productId)
      .modifyEnd(acrossTenants('a pair opens files wherever it is used'))
      .executeTakeFirst();
    // or a key file of the one would open the other
    if (used)
      throw new AppError('domain_rule', 'Another product already uses this key pair. Each product needs its own.');
    const [row] = await this.#insert(
      { developerId, productId },
      key,
      sql`update set modulus = excluded.modulus, exponent = excluded.exponent, private_key = excluded.private_key,
        created_at = excluded.created_at where ${replace} and product_keys.modulus <> excluded.modulus`,
    );
    this.#pairs.forget(productId);
    const pair = row ? this.#pairOf(row) : await this.find(developerId, productId);
    if (pair?.modulus === modulus) return pair;
    throw new AppError(
      'conflict',
      'This product already has a key pair, and shipped plugins may carry its public key. Send replace: true to replace it.',
    );
  }

  async #make(developerId: string, productId: string): Promise<ProductPair> {
    const { privateKey } = await makePair('rsa', { modulusLength: BITS, publicExponent: 65537 });
    // one of several processes that create one concurrently wins; the others read its pair
    await this.#insert({ developerId, productId }, privateKey, sql`nothing`);
    this.#pairs.forget(productId);
    const pair = await this.find(developerId, productId);
    if (!pair) throw notFound('Product');
    return pair;
  }

  async #insert(
    { developerId, productId }: { developerId: string; productId: string },
    key: KeyObject,
    onConflict: RawBuilder<unknown>,
  ): Promise<Row[]> {
    const { db, clock, random, secrets } = this.#deps;
    const { modulus, exponent } = numbersOf(key);
    const sealed = secrets.seal(key.export({ format: 'der', type: 'pkcs8' }), PURPOSE);
    const { rows } = await sql<Row>`
      insert into product_keys (id, developer_id, product_id, modulus, exponent, private_key, created_at)
      select ${random.id()}::uuid, p.developer_id, p.id, ${modulus}::text, ${exponent}::text, ${sealed}::bytea, ${clock.now()}::timestamptz
      from products p where p.developer_id = ${developerId} and p.id = ${productId} for key share
      on conflict (developer_id, product_id) do ${onConflict} returning ${sql.raw(COLUMNS.join(', '))}`.execute(db);
    return rows;
  }

  async #own(developerId: string, productId: string): Promise<void> {
    if (!(await isOwnProduct(this.#deps.db, developerId, productId))) throw notFound('Product');
  }

  #pairOf(row: Row): ProductPair {
    const der = this.#deps.secrets.open(Buffer.from(row.private_key), PURPOSE);
    return {
      exponent: row.exponent,
      modulus: row.modulus,
      privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }),
      createdAt: row.created_at,
    };
  }
}
