import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { fileIdOf } from '#platform/storage/file-url.ts';
import { dayOf } from '#platform/time/days.ts';
import type { Products } from '../products.service.ts';
import type { ProductsDb } from '../tables.ts';
import { firstOfThirty, salesOf } from './overview.queries.ts';
import type { ProductOverview } from './overview.schemas.ts';
import { stockPace } from './stock-pace.ts';

/** Port: what plugins do with a product. */
export interface ProductUse {
  machinesOf(
    developerId: string,
    productId: string,
  ): Promise<{ active_machines: number; machines: number; versions: ProductOverview['machines']['versions'] }>;
  /** @param since a day in UTC, inclusive. */
  refusalsOf(developerId: string, productId: string, since: string): Promise<ProductOverview['refusals']>;
}

/** Port: the sizes of stored files. */
export interface FileSizes {
  completeAmong(developerId: string, ids: readonly string[]): Promise<ReadonlyMap<string, StoredSize>>;
}

interface StoredSize {
  name: string;
  size: number;
  uploaded_at: Date;
  sha256: string | null;
}

/** Port: the keys that plugins carry. */
export interface CarriedKeys {
  list(developerId: string): Promise<
    {
      id: string;
      label: string;
      isActive: boolean;
      is_test: boolean;
      lastUsedAt: Date | null;
      expires_at: Date | null;
    }[]
  >;
}

interface Dependencies {
  db: ProductsDb;
  clock: Clock;
  products: Products;
  productUse: ProductUse;
  fileSizes: FileSizes;
  carriedKeys: CarriedKeys;
}

/** One product with all that its developer asks about it. */
export class ProductOverviews {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws {AppError} not_found, also for another developer's product. */
  async get(caller: Principal, id: string): Promise<ProductOverview> {
    const { db, clock, products, productUse, fileSizes, carriedKeys } = this.#deps;
    const { accountId, timeZone } = caller;
    const product = await products.get(accountId, id);
    const now = clock.now();
    const stored = product.file_urls.map(({ url }) => fileIdOf(url));
    const [sales, machines, refusals, sizes, keys] = await Promise.all([
      salesOf(db, accountId, id, dayOf(now, timeZone)),
      productUse.machinesOf(accountId, id),
      productUse.refusalsOf(accountId, id, firstOfThirty(dayOf(now, 'UTC'))),
      fileSizes.completeAmong(
        accountId,
        stored.filter((file) => file !== null),
      ),
      carriedKeys.list(accountId),
    ]);
    return {
      id,
      name: product.name,
      image_url: product.image_url,
      is_draft: product.is_draft,
      sales,
      stock: {
        available: product.serials_available,
        ...stockPace(product.serials_available, sales.last_30_days.redemptions),
      },
      machines: { active: machines.active_machines, total: machines.machines, versions: machines.versions },
      files: product.file_urls.map((file, index) => {
        const file_id = stored[index] ?? null;
        const known = file_id === null ? undefined : sizes.get(file_id);
        return { ...file, file_id, size: known?.size ?? null, uploaded_at: known?.uploaded_at ?? null };
      }),
      plugin_keys: keys
        .filter((key) => key.isActive && (key.expires_at === null || key.expires_at > now))
        .map((key) => ({ id: key.id, label: key.label, is_test: key.is_test, last_used_at: key.lastUsedAt })),
      refusals,
      time_zone: timeZone,
    };
  }
}
