import { sql } from 'kysely';
import { recordAudit } from '#features/audit';
import { recordWebhook } from '#features/webhooks';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { dryRunnable } from '#platform/db/dry-run.ts';
import { json } from '#platform/db/work.ts';
import { AppError, invalidField, notFound, violatedConstraint } from '#platform/errors.ts';
import { toCents, toDollars } from '#platform/money.ts';
import { fileIdOf } from '#platform/storage/file-url.ts';
import { nameKey } from '#platform/text/name-key.ts';
import type { StockSql } from './product-filter.ts';
import type { FileLink } from './products.entity.ts';
import {
  type BareProduct,
  changeProduct,
  findJuceNamesake,
  findProduct,
  insertProduct,
  isIdOfAnother,
  type LockedProduct,
  lockForDeletion,
  lockProduct,
  removeProduct,
} from './products.queries.ts';
import type { CreateProductBody, ProductView, UpdateProductBody } from './products.schemas.ts';
import type { ProductsDb, ProductsHandle } from './tables.ts';

/** Port: the serials of products. */
export interface ProductSerials {
  stockSql: StockSql;
  /** The number of available serials, by product id; products that have none may be left out. */
  countAvailable(
    sql: Sql,
    developerId: string,
    productIds: readonly string[],
    now: Date,
  ): Promise<ReadonlyMap<string, number>>;
  /** The serials that somebody has paid for: redeemed ones, and those that a reseller has handed out. */
  countSold(sql: Sql, developerId: string, productId: string): Promise<{ redeemed: number; handedOut: number }>;
  deleteAll(sql: Sql, developerId: string, productId: string): Promise<number>;
  /** Deletes serials that nobody has redeemed and no reseller has handed out, and revokes the rest. */
  retire(sql: Sql, developerId: string, productId: string, now: Date): Promise<{ deleted: number; revoked: number }>;
}

/** Port: the files a developer keeps in our own storage. */
export interface OwnFiles {
  /**
   * The names of complete files in the order of the ids, null for null.
   * @throws {AppError} invalid_request at `file_urls.N.url` for an id that is no complete file of this developer.
   */
  requireComplete(sql: Sql, developerId: string, ids: readonly (string | null)[]): Promise<(string | null)[]>;
}

/** Port: plugins that were shipped, and call their product by what it was called then. */
export interface ShippedPlugins {
  /** Whether stock JUCE or HISE plugins of a product can be out there. */
  mayExist(sql: Sql, developerId: string, productId: string): Promise<boolean>;
}

interface Dependencies {
  db: ProductsDb;
  clock: Clock;
  productSerials: ProductSerials;
  ownFiles: OwnFiles;
  shippedPlugins: ShippedPlugins;
}

/** Plugins: made, changed, published and deleted by the developer they belong to. */
export class Products {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws {AppError} not_found, also for another developer's product. */
  async get(developerId: string, id: string, sql: Sql = this.#deps.db): Promise<ProductView> {
    const product = await findProduct(sql, developerId, id);
    const [counted] = product ? await this.counted(sql, developerId, [product]) : [];
    if (!counted) throw notFound('Product');
    return counted;
  }

  /** @param id a repeat with the same id gets the product that is there. */
  async create(developerId: string, id: string, form: CreateProductBody): Promise<ProductView> {
    refusePriceOrder(form.price, form.sale_price);
    return this.#naming(developerId, id, form, async () =>
      this.#deps.db.work({ tx: true }, async (tx) => {
        if (await findProduct(tx, developerId, id)) return this.get(developerId, id, tx);
        const now = this.#deps.clock.now();
        await insertProduct(tx, {
          id,
          developer_id: developerId,
          name: form.name,
          name_key: nameKey(form.name),
          ...(await this.#juceProductId(tx, developerId, id, form.name, form.juce_product_id)),
          ...written(form),
          feature_list: json(form.feature_list),
          file_urls: json(await this.#files(tx, developerId, form.file_urls)),
          is_draft: form.is_draft,
          version: 1,
          created_at: now,
          updated_at: now,
        });
        if (!form.is_draft) await notifyPublished(tx, developerId, { id, name: form.name, at: now });
        return this.get(developerId, id, tx);
      }),
    );
  }

  /** Changes the given fields. With `version`, only if nobody changed the product since it was read. */
  async update(developerId: string, id: string, form: UpdateProductBody): Promise<ProductView> {
    return this.#naming(developerId, id, form, async () =>
      this.#deps.db.work({ tx: true }, async (tx) => {
        const product = await lockProduct(tx, developerId, id);
        if (form.version !== undefined && form.version !== product.version) {
          throw new AppError(
            'stale_version',
            'Somebody else has changed this product. Reload it, then save your changes.',
          );
        }
        const price = form.price === undefined ? toDollars(product.price_cents) : form.price;
        const sale = form.sale_price === undefined ? toDollars(product.sale_price_cents) : form.sale_price;
        refusePriceOrder(price, sale);
        await changeProduct(tx, developerId, id)
          .set({
            ...(await this.#renamed(tx, product, form)),
            ...written(form),
            feature_list: form.feature_list && json(form.feature_list),
            file_urls: form.file_urls && json(await this.#files(tx, developerId, form.file_urls)),
          })
          .set(this.#changed())
          .execute();
        return this.get(developerId, id, tx);
      }),
    );
  }

  /** Turns a draft into a submitted product; a submitted one stays as it is. */
  async publish(developerId: string, id: string): Promise<ProductView> {
    return this.#deps.db.work({ tx: true }, async (tx) => {
      const product = await lockProduct(tx, developerId, id);
      if (product.is_draft) {
        await changeProduct(tx, developerId, id)
          .set({ is_draft: false, ...this.#changed() })
          .execute();
        await notifyPublished(tx, developerId, { id, name: product.name, at: this.#deps.clock.now() });
      }
      return this.get(developerId, id, tx);
    });
  }

  /**
   * Deletes a product and its available serials. With redeemed serials it needs `force`, which revokes them and keeps
   * them, because the ledger points at them.
   */
  async delete(
    developerId: string,
    id: string,
    options: { force: boolean; dryRun: boolean },
  ): Promise<{ deleted: number; revoked: number }> {
    let outcome = { deleted: 0, revoked: 0 };
    const { db } = this.#deps;
    await dryRunnable(options.dryRun, (end) =>
      db.work({ lane: 'bulk', account: developerId, tx: true }, async (tx) => {
        const { name } = await lockForDeletion(tx, developerId, id);
        outcome = await this.#delete(tx, developerId, id, options.force);
        const audited = { action: 'product_deleted', at: this.#deps.clock.now(), detail: name } as const;
        await recordAudit(tx, developerId, { ...audited, objectId: id });
        end();
      }),
    );
    return outcome;
  }

  async #delete(
    tx: ProductsHandle,
    developerId: string,
    id: string,
    force: boolean,
  ): Promise<{ deleted: number; revoked: number }> {
    const { clock, productSerials } = this.#deps;
    const { redeemed, handedOut } = await productSerials.countSold(tx, developerId, id);
    if (redeemed + handedOut === 0) {
      const deleted = await productSerials.deleteAll(tx, developerId, id);
      await removeProduct(tx, developerId, id);
      return { deleted, revoked: 0 };
    }
    if (!force) {
      const serials = redeemed === 1 ? '1 redeemed serial' : `${redeemed} redeemed serials`;
      const sold = handedOut === 0 ? serials : `${serials} and ${handedOut} that resellers have handed out`;
      throw new AppError(
        'product_has_redeemed_serials',
        `This product has ${sold}. Forcing the deletion revokes them, and their owners can no longer use the plugin.`,
      );
    }
    const now = clock.now();
    const outcome = await productSerials.retire(tx, developerId, id, now);
    await changeProduct(tx, developerId, id).set({ deleted_at: now, updated_at: now }).execute();
    return outcome;
  }

  /** The products with the figures about their serials. */
  async counted(sql: Sql, developerId: string, products: readonly BareProduct[]): Promise<ProductView[]> {
    const { productSerials, clock } = this.#deps;
    const ids = products.map(({ id }) => id);
    const counts = await productSerials.countAvailable(sql, developerId, ids, clock.now());
    return products.map((product) => ({ ...product, serials_available: counts.get(product.id) ?? 0 }));
  }

  /** The columns that every change of a product sets. */
  #changed() {
    return { version: sql<number>`version + 1`, updated_at: this.#deps.clock.now() };
  }

  /** Rows that name a file in our own storage are held to it, and called by its name when they have no label. */
  async #files(tx: Sql, developerId: string, rows: FileLink[]): Promise<FileLink[]> {
    const ids = rows.map((row) => fileIdOf(row.url));
    const names = await this.#deps.ownFiles.requireComplete(tx, developerId, ids);
    return rows.map((row, index) => ({ ...row, name: row.name || names[index] || 'Download' }));
  }

  /**
   * A JUCE product id that is the name follows the name, unless plugins may be out there: those go on calling
   * themselves by the old name, and a rename must not lock them.
   */
  async #renamed(tx: ProductsHandle, product: LockedProduct, form: UpdateProductBody) {
    const { developer_id: developerId, id } = product;
    const { name = product.name, juce_product_id: wanted } = form;
    const followed = product.juce_product_id === null && !wanted;
    const kept = wanted === undefined ? product.juce_product_id : wanted;
    const pinned = followed && name !== product.name && (await this.#deps.shippedPlugins.mayExist(tx, developerId, id));
    const juce = pinned ? product.name : (kept ?? null);
    return { name, name_key: nameKey(name), ...(await this.#juceProductId(tx, developerId, id, name, juce)) };
  }

  /** @throws {AppError} invalid_request for the id of another product, by which its own plugins may be named */
  async #juceProductId(tx: ProductsHandle, developerId: string, id: string, name: string, juce: string | null) {
    if (juce === null || juce === name) return { juce_product_id: null, juce_product_key: null };
    const key = nameKey(juce);
    if (await isIdOfAnother(tx, developerId, id, key))
      throw invalidField('juce_product_id', 'This id belongs to another product of yours.');
    return { juce_product_id: juce, juce_product_key: key };
  }

  async #naming<T>(
    developerId: string,
    id: string,
    form: { name?: string | undefined; juce_product_id?: string | null | undefined },
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (constraint === 'products_developer_name_unique') throw nameTaken('name', NAME_TAKEN, error);
      if (constraint !== 'products_developer_juce_unique') throw error;
      const other = await findJuceNamesake(
        this.#deps.db,
        developerId,
        id,
        nameKey(form.juce_product_id || (form.name ?? '')),
      );
      if (form.juce_product_id) {
        const owner = other ? `“${other.name}”` : 'Another product';
        throw nameTaken('juce_product_id', `${owner} already has this JUCE product id.`, error);
      }
      // the one index may be looked at before the other
      if (!other || other.name_key === other.juce_key) throw nameTaken('name', NAME_TAKEN, error);
      const message = `JUCE plugins of “${other.name}” still identify themselves by this name. Give one of the two products another JUCE product id first.`;
      throw nameTaken('name', message, error);
    }
  }
}

function notifyPublished(sql: Sql, developerId: string, { id, name, at }: { id: string; name: string; at: Date }) {
  return recordWebhook(sql, developerId, { type: 'product.published', at, data: { product_id: id, name } });
}

const NAME_TAKEN = 'You already have a product with this name.';

function nameTaken(path: string, message: string, cause: unknown): AppError {
  return new AppError('name_taken', message, { errors: [{ path, message }], cause });
}

function refusePriceOrder(price: number | null, sale: number | null): void {
  if (price !== null && sale !== null && sale > price) {
    throw invalidField('sale_price', 'The sale price must not exceed the price.');
  }
}

function cents(price: number | null | undefined): number | null | undefined {
  return price === null || price === undefined ? price : toCents(price);
}

/** The fields of a form that need neither a look-up nor a check of their own. Fields that it omits stay unchanged. */
function written(form: Partial<CreateProductBody & UpdateProductBody>) {
  const { name, juce_product_id, feature_list, file_urls, price, sale_price, is_draft, version, ...asEntered } = form;
  return { ...asEntered, price_cents: cents(price), sale_price_cents: cents(sale_price) };
}
