import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type AuditAction, recordAudit } from '#features/audit';
import { recordWebhook } from '#features/webhooks';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { uuidV7Of } from '#platform/db/statements/uuid-v7.ts';
import type { Columns } from '#platform/db/tables.ts';
import { acrossTenants, joinOwn, ownLeftJoin } from '#platform/db/tenant.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import type { Random } from '#platform/random.ts';
import { keyFileText } from '../key-files/keyfile-format.ts';
import type { ProductKeys } from '../key-files/product-keys.service.ts';
import { EVERY_COMPUTER } from '../rules/machine-ids.ts';
import { type LicensingDb, type LicensingHandle, tables } from '../tables.ts';
import type { SigningKeys } from '../tokens/signing-keys.ts';
import { signUnlock } from './unlock-token.ts';
import type { Audience, ProductUnlock, UnlockFile } from './unlocks.schemas.ts';

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  random: Random;
  keys: Pick<SigningKeys, 'ring'>;
  productKeys: Pick<ProductKeys, 'find'>;
  publicUrl: string;
}

type Row = Columns<
  'product_unlocks',
  'id' | 'developer_id' | 'product_id' | 'created_at' | 'downloaded_at' | 'published_at' | 'audience'
> & { product_name: string; juce_product_id: string | null };

const PUBLISHED = 'It is published, and whoever has it keeps it.';

/** Unlocks for good: a developer signs one per product, which runs on every computer, without a server, forever. */
export class Unlocks {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Newest first, also of products that were deleted. */
  async list(developerId: string, page: { cursor?: string | undefined; limit: number; count: boolean }) {
    const { db } = this.#deps;
    const after = decodeIdCursor(page.cursor);
    const rows = await selectUnlocks(db)
      .where('u.developer_id', '=', developerId)
      .$if(after !== null, (query) => query.where('u.id', '<', after as string))
      .orderBy('u.id', 'desc')
      .limit(page.limit + 1)
      .execute();
    const shown = pageOf(rows, page.limit);
    const total = page.count ? await countOf(db, developerId) : null;
    return { ...shown, rows: shown.rows.map((row) => this.#view(row)), total };
  }

  /** @throws {AppError} not_found, also while the product has none. */
  async get(developerId: string, productId: string, handle: Sql = this.#deps.db): Promise<ProductUnlock> {
    return this.#view(await this.#own(handle, developerId, productId));
  }

  /**
   * Makes the unlock of a product, or answers the one that it has. Nobody else can have it before it is published.
   * @throws {AppError} not_found, invalid_request for another name than the product's.
   */
  async make(developerId: string, productId: string, name: string): Promise<ProductUnlock> {
    const { db, clock, random } = this.#deps;
    const at = clock.now();
    return db.work({ tx: true }, async (tx) => {
      const product = await ownProduct(tx, developerId, productId);
      confirm(product, name);
      const made = await tx
        .insertInto('product_unlocks')
        .values({ id: random.id(), developer_id: developerId, product_id: productId, created_at: at })
        .onConflict((on) => on.columns(['developer_id', 'product_id']).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (made) await this.#audit(tx, developerId, 'unlock_made', productId, product.name);
      return this.get(developerId, productId, tx);
    });
  }

  /** Its file, to be put away. @throws {AppError} not_found */
  async download(developerId: string, productId: string): Promise<UnlockFile> {
    const { db, clock } = this.#deps;
    const row = await db.work({ tx: true }, async (tx) => {
      await unlockOf(tx, developerId, productId).set({ downloaded_at: clock.now() }).execute();
      const found = await this.#own(tx, developerId, productId);
      await this.#audit(tx, developerId, 'unlock_downloaded', productId, found.product_name);
      return found;
    });
    return this.#file(row);
  }

  /**
   * Offers it on the redemption page. What owners have can be published for everyone, never the other way round.
   * @throws {AppError} not_found, invalid_request for another name, conflict for fewer than now, domain_rule for a draft.
   */
  async publish(
    developerId: string,
    productId: string,
    { product_name, audience }: { product_name: string; audience: Audience },
  ): Promise<ProductUnlock> {
    const { db, clock, publicUrl } = this.#deps;
    const at = clock.now();
    return db.work({ tx: true }, async (tx) => {
      const product = await ownProduct(tx, developerId, productId);
      confirm(product, product_name);
      if (product.is_draft) throw new AppError('domain_rule', 'A draft has no customers. Publish the product first.');
      const found = await this.#own(tx, developerId, productId, true);
      // a repeat of the same request is no second event
      if (found.audience === audience) return this.#view(found);
      if (found.audience === 'everyone') throw new AppError('conflict', `It is published for everyone. ${PUBLISHED}`);
      await unlockOf(tx, developerId, productId)
        .set({ audience, published_at: found.published_at ?? at })
        .execute();
      const data = { product_id: productId, name: product.name, audience, url: unlockUrl(publicUrl, found.id) };
      await recordWebhook(tx, developerId, { type: 'product.unlocked', at, data });
      await this.#audit(tx, developerId, 'unlock_published', productId, `${found.product_name}, for ${audience}`);
      return this.get(developerId, productId, tx);
    });
  }

  /** Forgets one that is not published. @throws {AppError} not_found, conflict */
  async withdraw(developerId: string, productId: string): Promise<void> {
    await this.#deps.db.work({ tx: true }, async (tx) => {
      const found = await this.#own(tx, developerId, productId, true);
      if (found.published_at) throw new AppError('conflict', `This unlock can no longer be withdrawn. ${PUBLISHED}`);
      await tx
        .deleteFrom('product_unlocks')
        .where('developer_id', '=', developerId)
        .where('product_id', '=', productId)
        .execute();
      await this.#audit(tx, developerId, 'unlock_withdrawn', productId, found.product_name);
    });
  }

  /** Those that a developer has published for everyone, newest first. */
  async published(developerId: string, page: { cursor?: string | undefined; limit: number }) {
    const after = decodeIdCursor(page.cursor);
    const rows = await selectUnlocks(this.#deps.db)
      .where('u.developer_id', '=', developerId)
      .where('u.audience', '=', 'everyone')
      .$if(after !== null, (query) => query.where('u.id', '<', after as string))
      .orderBy('u.id', 'desc')
      .limit(page.limit + 1)
      .execute();
    const shown = pageOf(rows, page.limit);
    return {
      ...shown,
      total: null,
      rows: shown.rows.map(({ id, product_name, published_at }) => ({
        id,
        product_name,
        published_at: published_at as Date,
        url: unlockUrl(this.#deps.publicUrl, id),
      })),
    };
  }

  /**
   * The file of a published unlock, for anyone who knows its id: owners see the id, and could as well pass on the file.
   * @throws {AppError} not_found
   */
  async publishedFile(id: string): Promise<UnlockFile> {
    const row = await selectUnlocks(this.#deps.db)
      .where('u.id', '=', id)
      .where('u.published_at', 'is not', null)
      .modifyEnd(acrossTenants('its id is all that somebody has who follows a link'))
      .executeTakeFirst();
    if (!row) throw notFound('Unlock');
    return this.#file(row);
  }

  /** Counts a developer's products and their published unlocks, to show before the account is closed. */
  async standing(handle: Sql, developerId: string): Promise<{ products: number; published: number }> {
    const { rows } = await sql<{ products: number; published: number }>`
      select count(*)::int as products, count(u.published_at)::int as published
      from products p ${ownLeftJoin('product_unlocks as u', 'u.product_id', 'p.id')}
      where p.developer_id = ${developerId} and p.deleted_at is null and not p.is_draft`.execute(tables.in(handle));
    return rows[0] ?? { products: 0, published: 0 };
  }

  /**
   * Publishes the unlocks of all products that customers could have, in the transaction that closes the account. One that is
   * published for everyone stays so.
   */
  async publishAll(handle: Sql, developerId: string, audience: Audience): Promise<void> {
    const at = this.#deps.clock.now();
    await sql`
      insert into product_unlocks (developer_id, id, product_id, created_at, published_at, audience)
      select p.developer_id, ${uuidV7Of(sql`${at}::timestamptz`)}, p.id, ${at}, ${at}, ${audience}
      from products p where p.developer_id = ${developerId} and p.deleted_at is null and not p.is_draft
      on conflict (developer_id, product_id) do update set audience = excluded.audience,
        published_at = coalesce(product_unlocks.published_at, excluded.published_at)
      where product_unlocks.audience is distinct from 'everyone'`.execute(tables.in(handle));
  }

  async #own(handle: Sql, developerId: string, productId: string, locked = false): Promise<Row> {
    const row = await selectUnlocks(handle)
      .where('u.developer_id', '=', developerId)
      .where('u.product_id', '=', productId)
      .$if(locked, (query) => query.forUpdate('u'))
      .executeTakeFirst();
    if (!row) throw notFound('Unlock');
    return row;
  }

  async #file(row: Row): Promise<UnlockFile> {
    const { keys, publicUrl } = this.#deps;
    const { current } = await keys.ring(row.developer_id);
    const claims = {
      iss: publicUrl,
      sub: row.id,
      aud: row.product_id,
      iat: Math.floor(row.created_at.getTime() / 1000),
      unlock: true,
    } as const;
    const token = signUnlock(claims, current);
    return {
      type: 'unlock-for-good',
      product_id: row.product_id,
      product_name: row.product_name,
      developer_id: row.developer_id,
      created_at: row.created_at,
      token,
      key_file: await this.#keyFile(row, token),
    };
  }

  /** The key file for plugins with JUCE's own classes; null while the product has no key pair, so no such plugin. */
  async #keyFile(row: Row, token: string): Promise<string | null> {
    const pair = await this.#deps.productKeys.find(row.developer_id, row.product_id);
    if (!pair) return null;
    const facts = {
      app: row.juce_product_id ?? row.product_name,
      user: 'Everyone',
      email: 'everyone@example.invalid',
      machines: [EVERY_COMPUTER],
      createdAt: row.created_at,
      expiresAt: null,
      // as much chance as the developer's signature has, and the same file each time
      salt: createHash('sha256').update(token).digest('hex').slice(0, 32),
    };
    return keyFileText(facts, pair);
  }

  #view({ developer_id: _, juce_product_id: _id, audience, ...row }: Row): ProductUnlock {
    return {
      ...row,
      audience: audience as Audience | null,
      url: row.published_at && unlockUrl(this.#deps.publicUrl, row.id),
    };
  }

  #audit(tx: Sql, developerId: string, action: AuditAction, objectId: string, detail: string): Promise<void> {
    return recordAudit(tx, developerId, { action, at: this.#deps.clock.now(), detail, objectId });
  }
}

function unlockUrl(publicUrl: string, id: string): string {
  return `${publicUrl}/api/redeem/unlocks/${id}`;
}

function selectUnlocks(handle: Sql) {
  return tables
    .in(handle)
    .selectFrom('product_unlocks as u')
    .$call(joinOwn('products as p', 'p.id', 'u.product_id'))
    .select([
      'u.id',
      'u.developer_id',
      'u.product_id',
      'u.created_at',
      'u.downloaded_at',
      'u.published_at',
      'u.audience',
      'p.name as product_name',
      'p.juce_product_id',
    ]);
}

function unlockOf(handle: LicensingHandle, developerId: string, productId: string) {
  return handle
    .updateTable('product_unlocks')
    .where('developer_id', '=', developerId)
    .where('product_id', '=', productId);
}

async function countOf(handle: LicensingHandle, developerId: string): Promise<number> {
  const { total } = await handle
    .selectFrom('product_unlocks')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('developer_id', '=', developerId)
    .executeTakeFirstOrThrow();
  return total;
}

async function ownProduct(handle: LicensingHandle, developerId: string, id: string) {
  const product = await handle
    .selectFrom('products')
    .select(['name', 'is_draft'])
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst();
  if (!product) throw notFound('Product');
  return product;
}

function confirm(product: { name: string }, typed: string): void {
  if (typed.trim().toLowerCase() !== product.name.trim().toLowerCase())
    throw invalidField('product_name', `Type the name of the product: ${product.name}`);
}
