import type { Clock } from '../../platform/clock.ts';
import type { Database, Sql, Tx } from '../../platform/db/database.ts';
import { dryRunnable } from '../../platform/db/dry-run.ts';
import { listOf } from '../../platform/db/list-index.ts';
import { AppError, invalidField, notFound, violatedConstraint } from '../../platform/errors.ts';
import { toCents, toDollars } from '../../platform/money.ts';
import { nameKey } from '../../platform/name-key.ts';
import { fileIdOf } from '../../platform/storage/file-url.ts';
import { recordAudit } from '../audit/index.ts';
import { recordWebhook } from '../webhooks/index.ts';
import type { StockSql } from './product-filter.ts';
import { type FileLink, Product } from './products.entity.ts';
import { type BareProduct, findJuceNamesake, findProduct } from './products.queries.ts';
import type { CreateProductBody, ProductView, UpdateProductBody } from './products.schemas.ts';

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
  db: Database;
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
      this.#deps.db.transaction(async (tx) => {
        if (await findProduct(tx, developerId, id)) return this.get(developerId, id, tx);
        const now = this.#deps.clock.now();
        const fileUrls = await this.#files(tx, developerId, form.file_urls);
        tx.em.create(Product, {
          id,
          developerId,
          name: form.name,
          nameKey: nameKey(form.name),
          ...(await this.#juceProductId(tx, developerId, id, form.name, form.juce_product_id)),
          shortDesc: form.short_desc,
          longDesc: form.long_desc,
          installHelp: form.install_help,
          featureList: form.feature_list,
          priceCents: cents(form.price),
          salePriceCents: cents(form.sale_price),
          imageUrl: form.image_url,
          fileUrls,
          isDraft: form.is_draft,
          maxActivations: form.max_activations,
          offlineDays: form.offline_days,
          leaseDays: form.lease_days,
          trialDays: form.trial_days,
          createdAt: now,
          updatedAt: now,
        });
        await tx.em.flush();
        if (!form.is_draft) await tellPublished(tx, developerId, { id, name: form.name, at: now });
        return this.get(developerId, id, tx);
      }),
    );
  }

  /** Changes the given fields. With `version`, only if nobody changed the product since it was read. */
  async update(developerId: string, id: string, form: UpdateProductBody): Promise<ProductView> {
    return this.#naming(developerId, id, form, async () =>
      this.#deps.db.transaction(async (tx) => {
        const product = await this.#locked(tx, developerId, id);
        if (form.version !== undefined && form.version !== product.version) {
          throw new AppError(
            'stale_version',
            'Somebody else has changed this product. Reload it, then save your changes.',
          );
        }
        const price = form.price === undefined ? dollars(product.priceCents) : form.price;
        const sale = form.sale_price === undefined ? dollars(product.salePriceCents) : form.sale_price;
        refusePriceOrder(price, sale);
        await this.#rename(tx, product, form);
        if (form.short_desc !== undefined) product.shortDesc = form.short_desc;
        if (form.long_desc !== undefined) product.longDesc = form.long_desc;
        if (form.install_help !== undefined) product.installHelp = form.install_help;
        if (form.feature_list !== undefined) product.featureList = form.feature_list;
        if (form.price !== undefined) product.priceCents = cents(form.price);
        if (form.sale_price !== undefined) product.salePriceCents = cents(form.sale_price);
        if (form.image_url !== undefined) product.imageUrl = form.image_url;
        if (form.file_urls !== undefined) product.fileUrls = await this.#files(tx, developerId, form.file_urls);
        if (form.max_activations !== undefined) product.maxActivations = form.max_activations;
        if (form.offline_days !== undefined) product.offlineDays = form.offline_days;
        if (form.lease_days !== undefined) product.leaseDays = form.lease_days;
        if (form.trial_days !== undefined) product.trialDays = form.trial_days;
        product.updatedAt = this.#deps.clock.now();
        await tx.em.flush();
        return this.get(developerId, id, tx);
      }),
    );
  }

  /** Turns a draft into a submitted product; a submitted one stays as it is. */
  async publish(developerId: string, id: string): Promise<ProductView> {
    return this.#deps.db.transaction(async (tx) => {
      const product = await this.#locked(tx, developerId, id);
      if (product.isDraft) {
        const now = this.#deps.clock.now();
        Object.assign(product, { isDraft: false, updatedAt: now });
        await tellPublished(tx, developerId, { id, name: product.name, at: now });
      }
      await tx.em.flush();
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
    const work = (end: () => void) =>
      db.transaction(async (tx) => {
        const [named] = await tx.query<{ name: string }>(
          'select name from products where developer_id = $1 and id = $2',
          [developerId, id],
        );
        outcome = await this.#delete(tx, developerId, id, options.force);
        const audited = { action: 'product_deleted', at: this.#deps.clock.now(), detail: named?.name ?? null } as const;
        await recordAudit(tx, developerId, { ...audited, objectId: id });
        end();
      });
    await db.bulk(developerId, () => dryRunnable(options.dryRun, work));
    return outcome;
  }

  async #delete(
    tx: Tx,
    developerId: string,
    id: string,
    force: boolean,
  ): Promise<{ deleted: number; revoked: number }> {
    const { clock, productSerials } = this.#deps;
    // the lock keeps redemptions of this product out until this is decided
    const found = await tx.query(
      'select id from products where id = $1 and developer_id = $2 and deleted_at is null for update',
      [id, developerId],
    );
    if (found.length === 0) throw notFound('Product');
    const { redeemed, handedOut } = await productSerials.countSold(tx, developerId, id);
    if (redeemed + handedOut === 0) {
      const deleted = await productSerials.deleteAll(tx, developerId, id);
      await tx.query('delete from products where developer_id = $1 and id = $2', [developerId, id]);
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
    await tx.query('update products set deleted_at = $3, updated_at = $3 where developer_id = $1 and id = $2', [
      developerId,
      id,
      now,
    ]);
    return outcome;
  }

  /** The products with the figures about their serials. */
  async counted(sql: Sql, developerId: string, products: readonly BareProduct[]): Promise<ProductView[]> {
    const { productSerials, clock } = this.#deps;
    const ids = products.map(({ id }) => id);
    const counts = await productSerials.countAvailable(sql, developerId, ids, clock.now());
    return products.map((product) => ({ ...product, serials_available: counts.get(product.id) ?? 0 }));
  }

  /** Changes of one product are serialized; generating serials for it waits for none of them. */
  async #locked(tx: Tx, developerId: string, id: string): Promise<Product> {
    await tx.query('select 1 from products where id = $1 and developer_id = $2 for no key update', [id, developerId]);
    const product = await tx.em.findOne(Product, { id, developerId, deletedAt: null });
    if (!product) throw notFound('Product');
    return product;
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
  async #rename(tx: Tx, product: Product, form: UpdateProductBody): Promise<void> {
    const { name = product.name, juce_product_id: wanted } = form;
    const followed = product.juceProductId === null && !wanted;
    const kept = wanted === undefined ? product.juceProductId : wanted;
    const pinned =
      followed &&
      name !== product.name &&
      (await this.#deps.shippedPlugins.mayExist(tx, product.developerId, product.id));
    const juce = pinned ? product.name : (kept ?? null);
    Object.assign(product, {
      name,
      nameKey: nameKey(name),
      ...(await this.#juceProductId(tx, product.developerId, product.id, name, juce)),
    });
  }

  /** @throws {AppError} invalid_request for the id of another product, by which its own plugins may be named */
  async #juceProductId(tx: Sql, developerId: string, id: string, name: string, juce: string | null) {
    if (juce === null || juce === name) return { juceProductId: null, juceProductKey: null };
    const key = nameKey(juce);
    const others = await tx.query(
      `select 1 from products p where developer_id = $1 and ${listOf('p')} and id::text = $2 and id <> $3`,
      [developerId, key, id],
    );
    if (others.length > 0) throw invalidField('juce_product_id', 'This id belongs to another product of yours.');
    return { juceProductId: juce, juceProductKey: key };
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
        const whose = other ? `“${other.name}”` : 'Another product';
        throw nameTaken('juce_product_id', `${whose} already has this JUCE product id.`, error);
      }
      // the one index may be looked at before the other
      if (!other || other.name_key === other.juce_key) throw nameTaken('name', NAME_TAKEN, error);
      const message = `JUCE plugins of “${other.name}” still identify themselves by this name. Give one of the two products another JUCE product id first.`;
      throw nameTaken('name', message, error);
    }
  }
}

function tellPublished(sql: Sql, developerId: string, { id, name, at }: { id: string; name: string; at: Date }) {
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

function cents(price: number | null): number | null {
  return price === null ? null : toCents(price);
}

function dollars(value: number | null | undefined): number | null {
  return toDollars(value ?? null);
}
