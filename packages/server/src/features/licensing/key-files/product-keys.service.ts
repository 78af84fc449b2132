import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { LookupCache } from '#platform/caches/lookup-cache.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import type { Random } from '#platform/random.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import type { RsaPair } from './keyfile-format.ts';
import { BITS, numbersOf, readPrivatePem } from './product-key-format.ts';

const makePair = promisify(generateKeyPair);
const PURPOSE = 'product-key';

interface Dependencies {
  db: Database;
  clock: Clock;
  random: Random;
  secrets: Secrets;
}

interface Row {
  exponent: string;
  modulus: string;
  private_key: Buffer;
  created_at: Date;
}

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
  async mayExist(sql: Sql, developerId: string, productId: string): Promise<boolean> {
    const pairs = await sql.query('select 1 from product_keys where developer_id = $1 and product_id = $2', [
      developerId,
      productId,
    ]);
    return pairs.length > 0;
  }

  /** The product's key pair, or undefined when none has been requested yet. */
  find(developerId: string, productId: string): Promise<ProductPair | undefined> {
    return this.#pairs.get(productId, async () => {
      const [row] = await this.#deps.db.query<Row>(
        `select exponent, modulus, private_key, created_at from product_keys where developer_id = $1 and product_id = $2`,
        [developerId, productId],
      );
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
    const [used] = await db.query(
      '/* across tenants: a pair opens files wherever it is used */ select 1 from product_keys where modulus = $1 and product_id <> $2',
      [modulus, productId],
    );
    // or a key file of the one would open the other
    if (used)
      throw new AppError('domain_rule', 'Another product already uses this key pair. Each product needs its own.');
    const [row] = await this.#insert(
      { developerId, productId },
      key,
      `update set modulus = excluded.modulus, exponent = excluded.exponent, private_key = excluded.private_key,
         created_at = excluded.created_at where $8 and product_keys.modulus <> excluded.modulus`,
      [replace],
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
    // of several processes that create one concurrently, one wins; the others read its pair
    await this.#insert({ developerId, productId }, privateKey, 'nothing', []);
    this.#pairs.forget(productId);
    const pair = await this.find(developerId, productId);
    if (!pair) throw notFound('Product');
    return pair;
  }

  #insert(
    { developerId, productId }: { developerId: string; productId: string },
    key: KeyObject,
    onConflict: string,
    more: unknown[],
  ): Promise<Row[]> {
    const { db, clock, random, secrets } = this.#deps;
    const { modulus, exponent } = numbersOf(key);
    const sealed = secrets.seal(key.export({ format: 'der', type: 'pkcs8' }), PURPOSE);
    return db.query<Row>(
      `insert into product_keys (id, developer_id, product_id, modulus, exponent, private_key, created_at)
       select $1, p.developer_id, p.id, $4, $5, $6, $7 from products p where p.developer_id = $2 and p.id = $3 for key share
       on conflict (developer_id, product_id) do ${onConflict} returning exponent, modulus, private_key, created_at`,
      [random.id(), developerId, productId, modulus, exponent, sealed, clock.now(), ...more],
    );
  }

  async #own(developerId: string, productId: string): Promise<void> {
    const [product] = await this.#deps.db.query(
      'select 1 from products where id = $1 and developer_id = $2 and deleted_at is null',
      [productId, developerId],
    );
    if (!product) throw notFound('Product');
  }

  #pairOf(row: Row): ProductPair {
    const der = this.#deps.secrets.open(row.private_key, PURPOSE);
    return {
      exponent: row.exponent,
      modulus: row.modulus,
      privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }),
      createdAt: row.created_at,
    };
  }
}
