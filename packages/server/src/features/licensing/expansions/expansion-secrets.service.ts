import { type QueryExecutorProvider, sql } from 'kysely';
import { recordAudit } from '#features/audit';
import { LookupCache } from '#platform/caches/lookup-cache.ts';
import { type Clock, MINUTE } from '#platform/clock.ts';
import { AppError, notFound } from '#platform/errors.ts';
import type { Random } from '#platform/random.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { sealedExpansionSecrets } from '../sealed.ts';
import { type LicensingDb, tables } from '../tables.ts';
import { type DatedSecret, deriveKey, secretFor } from './derive.ts';

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  random: Random;
  secrets: Secrets;
}

/** The most secrets of one product. All of them are read for a key. */
const MOST = 100;
const { purpose } = sealedExpansionSecrets;
/** The time until a new secret counts: by then every process knows it, and no serial gets two keys. */
const NOTICE = MINUTE;

const secretsOf = tables.named('expansion_secrets', (begin, developerId: string, productId: string) =>
  begin
    .selectFrom('expansion_secrets')
    .select(['number', 'secret', 'created_at'])
    .where('developer_id', '=', developerId)
    .where('product_id', '=', productId)
    .orderBy('number'),
);

/** Keys of HISE expansions, derived from a secret of the product. */
export class ExpansionSecrets {
  readonly #deps: Dependencies;
  /** A rotation is obeyed by every process within its lifetime; what serials have does not change by it. */
  readonly #known: LookupCache<DatedSecret[] | undefined>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#known = new LookupCache({ clock: deps.clock, lifetime: 500 });
  }

  /** The key of a serial. The product's first secret is made when it is first needed. */
  async keyOf(serial: {
    developer_id: string;
    product_id: string;
    serial_id: string;
    redeemed_at: Date | null;
  }): Promise<string> {
    const { developer_id: developerId, product_id: productId } = serial;
    const known =
      (await this.#find(developerId, productId)) ?? (await this.#begin(developerId, productId)) ?? unreachable();
    return deriveKey(secretFor(known, serial.redeemed_at).secret, serial.serial_id);
  }

  /**
   * Another secret, for serials that are redeemed from now on. Of rotations at the same moment one counts.
   * @throws {AppError} not_found, also for another developer's product; domain_rule for too many.
   */
  async rotate(developerId: string, productId: string): Promise<{ number: number; since: Date }> {
    const { db, clock } = this.#deps;
    const rotated = await db.work({ tx: true }, async (tx) => {
      const product = await tx
        .selectFrom('products')
        .select('name')
        .where('developer_id', '=', developerId)
        .where('id', '=', productId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (!product) throw notFound('Product');
      const last = (await secretsOf(tx, developerId, productId)).at(-1)?.number ?? 0;
      if (last >= MOST) throw new AppError('domain_rule', `A product has at most ${MOST} such secrets.`);
      const made = await this.#insert(tx, developerId, productId, last + 1, new Date(clock.now().getTime() + NOTICE));
      if (made) {
        const audited = { action: 'expansion_secret_rotated', at: clock.now(), detail: product.name } as const;
        await recordAudit(tx, developerId, { ...audited, objectId: productId });
      }
      const newest = (await secretsOf(tx, developerId, productId)).at(-1);
      if (!newest) throw notFound('Product');
      return { number: newest.number, since: newest.created_at };
    });
    this.#known.forget(productId);
    return rotated;
  }

  #find(developerId: string, productId: string): Promise<DatedSecret[] | undefined> {
    return this.#known.get(productId, async () => {
      const rows = await secretsOf(this.#deps.db, developerId, productId);
      if (rows.length === 0) return undefined;
      return rows.map(({ secret, created_at }) => ({
        secret: this.#deps.secrets.open(Buffer.from(secret), purpose),
        createdAt: created_at,
      }));
    });
  }

  async #begin(developerId: string, productId: string): Promise<DatedSecret[] | undefined> {
    // one of several processes that make one concurrently wins; the others read its secret
    await this.#insert(this.#deps.db, developerId, productId, 1, this.#deps.clock.now());
    return this.#find(developerId, productId);
  }

  /** Whether it was added: not where there is one of this number, or the product is gone. */
  async #insert(
    handle: QueryExecutorProvider,
    developerId: string,
    productId: string,
    number: number,
    since: Date,
  ): Promise<boolean> {
    const { random, secrets } = this.#deps;
    const sealed = secrets.seal(random.bytes(32), purpose);
    const { rows } = await sql`
      insert into expansion_secrets (id, developer_id, product_id, number, secret, created_at)
      select ${random.id()}::uuid, p.developer_id, p.id, ${number}::int, ${sealed}::bytea, ${since}::timestamptz
      from products p where p.developer_id = ${developerId} and p.id = ${productId} for key share
      on conflict (developer_id, product_id, number) do nothing returning id`.execute(handle);
    return rows.length > 0;
  }
}

function unreachable(): never {
  throw notFound('Product');
}
